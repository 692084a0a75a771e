#d
   0:.  #1d2440  night
   y:y  #ffe066  yellow
   r:r  #c8102e  red
   g:g  #c69214  gold
   w:w  #ffffff  white
: rows
1w 1g
1g 1w
5g
7r
2r 5y 2r
1r 3y 2r 2y 1r
1r 2y 3r 2y 1r
1r 3y 2r 2y 1r
2r 5y 2r
7r
5g
1w 1g 1g 1g
1g 1g 1g 1w
: columns
1w
1w
5r
2r 3y 2r
1g 1r 5y 1r 3g
1g 1r 2y 1r 2y 1r 1g
3g 1r 1y 3r 1y 1r 3g
1g 1r 1y 3r 1y 1r 1g
1g 1r 5y 1r 3g
2r 3y 2r
1w 5r
1w
: end
