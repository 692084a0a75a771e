"""Published claims decided, one folder a study. Users of the package need nothing from here."""
