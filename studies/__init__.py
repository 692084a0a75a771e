"""Published claims decided, one folder a study; `reproduce` is their table. Users of the package need nothing from here."""
