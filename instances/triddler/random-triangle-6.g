#triddler
: A
: B
5 1
2 1 1
2 1
2 2
1

: C
: D
8
1 2
1 1 3
1 1


: E
: F
1 2
1 1 2
2 2
2 2
3

: end
