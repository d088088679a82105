// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The codes of CVPixelBuffer.h for the formats that devices deliver, and for the format classes that they belong to.

/// Planar 4:2:0, 8 bits, video range. `y420`
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Planar 4:2:0, 8 bits, full range. `f420`
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
/// Two planes, 4:2:0, 8 bits, video range. `420v`
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// Two planes, 4:2:0, 8 bits, full range. `420f`
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Two planes, 4:2:2, 8 bits, video range. `422v`
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3276
/// Two planes, 4:2:2, 8 bits, full range. `422f`
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x3432_3266
/// Two planes, 4:4:4, 8 bits, video range. Only a class: no device delivers the format. `444v`
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType = 0x3434_3476
/// Two planes, 4:4:4, 8 bits, full range. Only a class. `444f`
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType = 0x3434_3466
/// Packed Cb Y Cr Y, 8 bits, video range. `2vuy`
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// Packed Y Cb Y Cr, 8 bits, full range. `yuvf`
public let kCVPixelFormatType_422YpCbCr8FullRange: OSType = 0x7975_7666
/// Packed Y Cb Y Cr, 8 bits, video range. `yuvs`
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
/// Two planes, 4:2:0, 10 bits at the top of 16, video range. `x420`
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// Two planes, 4:2:0, 10 bits at the top of 16, full range. `xf20`
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
/// Two planes, 4:2:2, 10 bits at the top of 16, video range: the input format of ProRes 422. `x422`
public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3232
/// Two planes, 4:2:2, 10 bits at the top of 16, full range. `xf22`
public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType = 0x7866_3232
/// Two planes, 4:4:4, 10 bits at the top of 16, video range. Only a class. `x444`
public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3434
/// Two planes, 4:4:4, 10 bits at the top of 16, full range. Only a class. `xf44`
public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType = 0x7866_3434
/// Packed 4:2:2, six pixels in sixteen bytes, 10 bits. `v210`
public let kCVPixelFormatType_422YpCbCr10: OSType = 0x7632_3130
/// Two planes, 4:2:2, 16 bits, video range. `sv22`
public let kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange: OSType = 0x7376_3232
/// Two planes, 4:4:4, 16 bits, video range. Only a class. `sv44`
public let kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange: OSType = 0x7376_3434
/// Blue, green, red, 8 bits. `24BG`
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// Blue, green, red, alpha, 8 bits; alpha is ignored. `BGRA`
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// Alpha, red, green, blue, 8 bits; alpha is ignored.
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
/// Bayer, starting with red, green; 14 bits. `rgg4`
public let kCVPixelFormatType_14Bayer_RGGB: OSType = 0x7267_6734
/// Bayer, starting with green, red; 14 bits. `grb4`
public let kCVPixelFormatType_14Bayer_GRBG: OSType = 0x6772_6234
/// Bayer, starting with green, blue; 14 bits. `gbr4`
public let kCVPixelFormatType_14Bayer_GBRG: OSType = 0x6762_7234
/// Bayer, starting with blue, green; 14 bits. `bgg4`
public let kCVPixelFormatType_14Bayer_BGGR: OSType = 0x6267_6734
/// Red, green, blue, alpha, 16 bits: the code of ProRAW. `l64r`
public let kCVPixelFormatType_64RGBALE: OSType = 0x6C36_3472

// Unsupported formats: requests are rejected, `availableVideoPixelFormatTypes` never lists them, and
// `CVPixelBufferCreate` returns `kCVReturnInvalidPixelFormat`.

/// Red, green, blue, alpha, 8 bits. Rejected. `RGBA`
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// Two bits of alpha, ten bits each of red, green and blue. Rejected. `l10r`
public let kCVPixelFormatType_ARGB2101010LEPacked: OSType = 0x6C31_3072
/// Alpha, red, green, blue, 16 bits, big-endian. Rejected. `b64a`
public let kCVPixelFormatType_64ARGB: OSType = 0x6236_3461
/// Red, green, blue, alpha, half floats. Rejected. `RGhA`
public let kCVPixelFormatType_64RGBAHalf: OSType = 0x5247_6841
/// Alpha, Y, Cb, Cr, 16 bits. Rejected. `y416`
public let kCVPixelFormatType_4444AYpCbCr16: OSType = 0x7934_3136
/// One component, 8 bits. Rejected. `L008`
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// Bayer, 16 bits, as ProRes RAW delivers it. Rejected. `bp16`
public let kCVPixelFormatType_16VersatileBayer: OSType = 0x6270_3136
/// Bayer, eight 12-bit pixels in 96 bits. Rejected. `btp2`
public let kCVPixelFormatType_96VersatileBayerPacked12: OSType = 0x6274_7032
