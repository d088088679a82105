// swift-format-ignore-file: AlwaysUseLowerCamelCase

// More codes of CVPixelBuffer.h, only for comparison: these formats are not supported, and requests for them are
// rejected.

/// One bit. Rejected.
public let kCVPixelFormatType_1Monochrome: OSType = 0x0000_0001
/// Two-bit palette. Rejected.
public let kCVPixelFormatType_2Indexed: OSType = 0x0000_0002
/// Four-bit palette. Rejected.
public let kCVPixelFormatType_4Indexed: OSType = 0x0000_0004
/// Eight-bit palette. Rejected.
public let kCVPixelFormatType_8Indexed: OSType = 0x0000_0008
/// One bit of gray. Rejected.
public let kCVPixelFormatType_1IndexedGray_WhiteIsZero: OSType = 0x0000_0021
/// Two bits of gray. Rejected.
public let kCVPixelFormatType_2IndexedGray_WhiteIsZero: OSType = 0x0000_0022
/// Four bits of gray. Rejected.
public let kCVPixelFormatType_4IndexedGray_WhiteIsZero: OSType = 0x0000_0024
/// Eight bits of gray. Rejected.
public let kCVPixelFormatType_8IndexedGray_WhiteIsZero: OSType = 0x0000_0028
/// Five bits each of red, green and blue, big-endian. Rejected.
public let kCVPixelFormatType_16BE555: OSType = 0x0000_0010
/// The same, little-endian. Rejected. `L555`
public let kCVPixelFormatType_16LE555: OSType = 0x4C35_3535
/// The same with one bit of alpha, little-endian. Rejected. `5551`
public let kCVPixelFormatType_16LE5551: OSType = 0x3535_3531
/// Five, six and five bits of red, green and blue, big-endian. Rejected. `B565`
public let kCVPixelFormatType_16BE565: OSType = 0x4235_3635
/// The same, little-endian. Rejected. `L565`
public let kCVPixelFormatType_16LE565: OSType = 0x4C35_3635
/// Alpha, blue, green, red, 8 bits. Rejected. `ABGR`
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// Red, green, blue, 16 bits, big-endian. Rejected. `b48r`
public let kCVPixelFormatType_48RGB: OSType = 0x6234_3872
/// Gray and alpha, 16 bits, big-endian. Rejected. `b32a`
public let kCVPixelFormatType_32AlphaGray: OSType = 0x6233_3261
/// Gray, 16 bits, big-endian. Rejected. `b16g`
public let kCVPixelFormatType_16Gray: OSType = 0x6231_3667
/// Y, Cb, Cr, alpha, 8 bits. Rejected. `v408`
public let kCVPixelFormatType_4444YpCbCrA8: OSType = 0x7634_3038
/// The same, for rendering. Rejected. `r408`
public let kCVPixelFormatType_4444YpCbCrA8R: OSType = 0x7234_3038
/// Alpha, Y, Cb, Cr, 8 bits. Rejected. `y408`
public let kCVPixelFormatType_4444AYpCbCr8: OSType = 0x7934_3038
/// Packed 4:4:4, 8 bits. Rejected. `v308`
public let kCVPixelFormatType_444YpCbCr8: OSType = 0x7633_3038
/// Packed 4:4:4, 10 bits. Rejected. `v410`
public let kCVPixelFormatType_444YpCbCr10: OSType = 0x7634_3130
/// 4:2:2 with an alpha plane, 8 bits. Rejected. `a2vy`
public let kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: OSType = 0x6132_7679
/// Two components, 8 bits. Rejected. `2C08`
public let kCVPixelFormatType_TwoComponent8: OSType = 0x3243_3038
/// One component, 16 bits. Rejected. `L016`
public let kCVPixelFormatType_OneComponent16: OSType = 0x4C30_3136
/// One component, half floats. Rejected. `L00h`
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4C30_3068
/// One component, floats. Rejected. `L00f`
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4C30_3066
/// Two components, half floats. Rejected. `2C0h`
public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x3243_3068
/// Two components, floats. Rejected. `2C0f`
public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x3243_3066
/// Red, green, blue, alpha, floats. Rejected. `RGfA`
public let kCVPixelFormatType_128RGBAFloat: OSType = 0x5247_6641
/// Disparity, half floats. Rejected. `hdis`
public let kCVPixelFormatType_DisparityFloat16: OSType = 0x6864_6973
/// Disparity, floats. Rejected. `fdis`
public let kCVPixelFormatType_DisparityFloat32: OSType = 0x6664_6973
/// Depth, half floats. Rejected. `hdep`
public let kCVPixelFormatType_DepthFloat16: OSType = 0x6864_6570
/// 32BGRA, lossless compression. Rejected. `&BGA`
public let kCVPixelFormatType_Lossless_32BGRA: OSType = 0x2642_4741
/// 420v, lossless compression. Rejected. `&8v0`
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x2638_7630
/// 420f, lossless compression. Rejected. `&8f0`
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x2638_6630
/// x420, packed, lossless compression. Rejected. `&xv0`
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7630
/// x422, packed, lossless compression. Rejected. `&xv2`
public let kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7632
/// 32BGRA, lossy compression. Rejected. `-BGA`
public let kCVPixelFormatType_Lossy_32BGRA: OSType = 0x2D42_4741
/// 420v, lossy compression. Rejected. `-8v0`
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange: OSType = 0x2D38_7630
/// 420f, lossy compression. Rejected. `-8f0`
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange: OSType = 0x2D38_6630
/// x420, packed, lossy compression. Rejected. `-xv0`
public let kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D78_7630
/// x422, packed, lossy compression. Rejected. `-xv2`
public let kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D78_7632
/// One component, 10 bits at the top of 16. Rejected. `L010`
public let kCVPixelFormatType_OneComponent10: OSType = 0x4C30_3130
/// One component, 12 bits at the top of 16. Rejected. `L012`
public let kCVPixelFormatType_OneComponent12: OSType = 0x4C30_3132
/// Two components, 16 bits. Rejected. `2C16`
public let kCVPixelFormatType_TwoComponent16: OSType = 0x3243_3136
/// Red, green and blue beyond sRGB, 10 bits. Rejected. `w30r`
public let kCVPixelFormatType_30RGBLEPackedWideGamut: OSType = 0x7733_3072
/// Alpha and red, green and blue beyond sRGB, 10 bits in 16. Rejected. `w40a`
public let kCVPixelFormatType_40ARGBLEWideGamut: OSType = 0x7734_3061
/// The same, premultiplied. Rejected. `w40m`
public let kCVPixelFormatType_40ARGBLEWideGamutPremultiplied: OSType = 0x7734_306D
/// 4:2:0, 8 bits, with an alpha plane. Rejected. `v0a8`
public let kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: OSType = 0x7630_6138
/// 4:4:4, 16 bits, with an alpha plane. Rejected. `s4as`
public let kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar: OSType = 0x7334_6173
/// Red, green, blue and alpha of a downscaled ProRes RAW frame. Rejected. `bp64`
public let kCVPixelFormatType_64RGBA_DownscaledProResRAW: OSType = 0x6270_3634
