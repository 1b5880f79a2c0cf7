autocmd BufRead,BufNewFile *.tio setfiletype tio
