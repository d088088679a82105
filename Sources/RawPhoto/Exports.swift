// A program that takes photos has their files as well.
@_exported public import DNG
