// swift-format-ignore-file: AlwaysUseLowerCamelCase

// More codes of CVPixelBuffer.h, to compare with: nothing here gives or takes such layouts, and asking for one is refused.

/// One bit. Refused.
public let kCVPixelFormatType_1Monochrome: OSType = 0x0000_0001
/// Two bits of a palette. Refused.
public let kCVPixelFormatType_2Indexed: OSType = 0x0000_0002
/// Four bits of a palette. Refused.
public let kCVPixelFormatType_4Indexed: OSType = 0x0000_0004
/// Eight bits of a palette. Refused.
public let kCVPixelFormatType_8Indexed: OSType = 0x0000_0008
/// One bit of gray. Refused.
public let kCVPixelFormatType_1IndexedGray_WhiteIsZero: OSType = 0x0000_0021
/// Two bits of gray. Refused.
public let kCVPixelFormatType_2IndexedGray_WhiteIsZero: OSType = 0x0000_0022
/// Four bits of gray. Refused.
public let kCVPixelFormatType_4IndexedGray_WhiteIsZero: OSType = 0x0000_0024
/// Eight bits of gray. Refused.
public let kCVPixelFormatType_8IndexedGray_WhiteIsZero: OSType = 0x0000_0028
/// Five bits each of red, green and blue, big-endian. Refused.
public let kCVPixelFormatType_16BE555: OSType = 0x0000_0010
/// The same, little-endian. Refused. `L555`
public let kCVPixelFormatType_16LE555: OSType = 0x4C35_3535
/// The same and a bit of alpha, little-endian. Refused. `5551`
public let kCVPixelFormatType_16LE5551: OSType = 0x3535_3531
/// Five, six and five bits of red, green and blue, big-endian. Refused. `B565`
public let kCVPixelFormatType_16BE565: OSType = 0x4235_3635
/// The same, little-endian. Refused. `L565`
public let kCVPixelFormatType_16LE565: OSType = 0x4C35_3635
/// Alpha, blue, green, red, 8 bits. Refused. `ABGR`
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// Red, green, blue, 16 bits, big-endian. Refused. `b48r`
public let kCVPixelFormatType_48RGB: OSType = 0x6234_3872
/// Gray and alpha, 16 bits, big-endian. Refused. `b32a`
public let kCVPixelFormatType_32AlphaGray: OSType = 0x6233_3261
/// Gray, 16 bits, big-endian. Refused. `b16g`
public let kCVPixelFormatType_16Gray: OSType = 0x6231_3667
/// Y, Cb, Cr, alpha, 8 bits. Refused. `v408`
public let kCVPixelFormatType_4444YpCbCrA8: OSType = 0x7634_3038
/// The same, for rendering. Refused. `r408`
public let kCVPixelFormatType_4444YpCbCrA8R: OSType = 0x7234_3038
/// Alpha, Y, Cb, Cr, 8 bits. Refused. `y408`
public let kCVPixelFormatType_4444AYpCbCr8: OSType = 0x7934_3038
/// Packed 4:4:4, 8 bits. Refused. `v308`
public let kCVPixelFormatType_444YpCbCr8: OSType = 0x7633_3038
/// Packed 4:4:4, 10 bits. Refused. `v410`
public let kCVPixelFormatType_444YpCbCr10: OSType = 0x7634_3130
/// 4:2:2 and a plane of alpha, 8 bits. Refused. `a2vy`
public let kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: OSType = 0x6132_7679
/// Two components of 8 bits. Refused. `2C08`
public let kCVPixelFormatType_TwoComponent8: OSType = 0x3243_3038
/// One component of 16 bits. Refused. `L016`
public let kCVPixelFormatType_OneComponent16: OSType = 0x4C30_3136
/// One component, half floats. Refused. `L00h`
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4C30_3068
/// One component, floats. Refused. `L00f`
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4C30_3066
/// Two components, half floats. Refused. `2C0h`
public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x3243_3068
/// Two components, floats. Refused. `2C0f`
public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x3243_3066
/// Red, green, blue, alpha, floats. Refused. `RGfA`
public let kCVPixelFormatType_128RGBAFloat: OSType = 0x5247_6641
/// Disparity, half floats. Refused. `hdis`
public let kCVPixelFormatType_DisparityFloat16: OSType = 0x6864_6973
/// Disparity, floats. Refused. `fdis`
public let kCVPixelFormatType_DisparityFloat32: OSType = 0x6664_6973
/// Depth, half floats. Refused. `hdep`
public let kCVPixelFormatType_DepthFloat16: OSType = 0x6864_6570
/// 32BGRA, compressed without loss. Refused. `&BGA`
public let kCVPixelFormatType_Lossless_32BGRA: OSType = 0x2642_4741
/// 420v, compressed without loss. Refused. `&8v0`
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x2638_7630
/// 420f, compressed without loss. Refused. `&8f0`
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x2638_6630
/// x420, packed and compressed without loss. Refused. `&xv0`
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7630
/// x422, packed and compressed without loss. Refused. `&xv2`
public let kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7632
/// 32BGRA, compressed. Refused. `-BGA`
public let kCVPixelFormatType_Lossy_32BGRA: OSType = 0x2D42_4741
/// 420v, compressed. Refused. `-8v0`
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange: OSType = 0x2D38_7630
/// 420f, compressed. Refused. `-8f0`
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange: OSType = 0x2D38_6630
/// x420, packed and compressed. Refused. `-xv0`
public let kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D78_7630
/// x422, packed and compressed. Refused. `-xv2`
public let kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D78_7632
/// One number of 10 bits, in the upper ones of 16. Refused. `L010`
public let kCVPixelFormatType_OneComponent10: OSType = 0x4C30_3130
/// One number of 12 bits, in the upper ones of 16. Refused. `L012`
public let kCVPixelFormatType_OneComponent12: OSType = 0x4C30_3132
/// Two numbers of 16 bits. Refused. `2C16`
public let kCVPixelFormatType_TwoComponent16: OSType = 0x3243_3136
/// Red, green and blue beyond sRGB, 10 bits. Refused. `w30r`
public let kCVPixelFormatType_30RGBLEPackedWideGamut: OSType = 0x7733_3072
/// Alpha and red, green and blue beyond sRGB, 10 bits in 16. Refused. `w40a`
public let kCVPixelFormatType_40ARGBLEWideGamut: OSType = 0x7734_3061
/// The same, multiplied by alpha. Refused. `w40m`
public let kCVPixelFormatType_40ARGBLEWideGamutPremultiplied: OSType = 0x7734_306D
/// 4:2:0 of 8 bits with a plane of alpha. Refused. `v0a8`
public let kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: OSType = 0x7630_6138
/// 4:4:4 of 16 bits with a plane of alpha. Refused. `s4as`
public let kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar: OSType = 0x7334_6173
/// Red, green, blue and alpha of a ProRes RAW picture, made smaller. Refused. `bp64`
public let kCVPixelFormatType_64RGBA_DownscaledProResRAW: OSType = 0x6270_3634
