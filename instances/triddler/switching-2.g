#triddler
: A
1
1
: B
1
1
: C
1
1
: D
1
1
: E
1
1
: F
1
1
: end
