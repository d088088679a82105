import CALSA
import Foundation
import MediaCore
import SystemPackage

/// libasound itself.
struct LibALSA: ALSASystem {
  init() { calsa_silence() }

  /// The result of a call, or its failure.
  @discardableResult
  static func check(_ result: Int32, _ call: String) throws(ALSAFailure) -> Int32 {
    guard result >= 0 else { throw ALSAFailure(errno: Errno(rawValue: -result), call: call) }
    return result
  }

  func devices() throws(ALSAFailure) -> [ALSADeviceInfo] {
    var found: [ALSADeviceInfo] = []
    var card: Int32 = -1
    while true {
      // No sound driver at all is not an error: there are no cards.
      guard snd_card_next(&card) >= 0, card >= 0 else { return found }
      // A card may go while it is looked at; the others still count.
      if let devices = try? Self.devices(ofCard: card) { found += devices }
    }
  }

  private static func devices(ofCard card: Int32) throws(ALSAFailure) -> [ALSADeviceInfo] {
    var control: OpaquePointer?
    try check(snd_ctl_open(&control, "hw:\(card)", 0), "snd_ctl_open")
    defer { snd_ctl_close(control) }
    var cardInfo: OpaquePointer?
    var info: OpaquePointer?
    try check(snd_ctl_card_info_malloc(&cardInfo), "snd_ctl_card_info_malloc")
    defer { snd_ctl_card_info_free(cardInfo) }
    try check(snd_pcm_info_malloc(&info), "snd_pcm_info_malloc")
    defer { snd_pcm_info_free(info) }
    try check(snd_ctl_card_info(control, cardInfo), "snd_ctl_card_info")
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    var found: [ALSADeviceInfo] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) >= 0, device >= 0 {
      snd_pcm_info_set_device(info, UInt32(device))
      snd_pcm_info_set_subdevice(info, 0)
      snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
      guard snd_ctl_pcm_info(control, info) >= 0 else { continue }
      found.append(
        ALSADeviceInfo(
          cardID: text(snd_ctl_card_info_get_id(cardInfo)),
          cardName: text(snd_ctl_card_info_get_name(cardInfo)),
          cardLongName: text(snd_ctl_card_info_get_longname(cardInfo)),
          driver: text(snd_ctl_card_info_get_driver(cardInfo)),
          pciAddress: pciAddress(ofCard: card), device: Int(device),
          deviceName: text(snd_pcm_info_get_name(info))))
    }
    return found
  }

  /// What sysfs knows of the hardware that a card belongs to: its folder has the name of the place.
  private static func pciAddress(ofCard card: Int32) -> String? {
    let link = "/sys/class/sound/card\(card)/device"
    let hardware = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    let name = hardware?.split(separator: "/").last.map(String.init)
    return name.flatMap {
      $0.wholeMatch(of: /[0-9a-f]+:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]/) != nil ? $0 : nil
    }
  }

  func open(_ pcmName: String) throws(ALSAFailure) -> any ALSAPort {
    var handle: OpaquePointer?
    try Self.check(
      snd_pcm_open(&handle, pcmName, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)),
      "snd_pcm_open")
    guard let handle else {
      throw ALSAFailure(errno: .operationNotSupportedByDevice, call: "snd_pcm_open")
    }
    return LibALSAPort(handle)
  }
}

/// An open device of libasound.
final class LibALSAPort: ALSAPort {
  private let handle: OpaquePointer

  /// Takes the handle over.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { snd_pcm_close(handle) }

  private static func code(_ format: ALSASampleFormat) -> snd_pcm_format_t {
    switch format {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    }
  }

  /// Hardware parameters with nothing decided but the access and, where given, the format.
  private func withParameters<Result>(
    _ format: ALSASampleFormat?, _ body: (OpaquePointer) throws(ALSAFailure) -> Result
  ) throws(ALSAFailure) -> Result {
    var parameters: OpaquePointer?
    try LibALSA.check(snd_pcm_hw_params_malloc(&parameters), "snd_pcm_hw_params_malloc")
    guard let parameters else {
      throw ALSAFailure(errno: .noMemory, call: "snd_pcm_hw_params_malloc")
    }
    defer { snd_pcm_hw_params_free(parameters) }
    try LibALSA.check(snd_pcm_hw_params_any(handle, parameters), "snd_pcm_hw_params_any")
    // Plugins may resample; what is recorded is what the hardware made.
    snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
    try LibALSA.check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "snd_pcm_hw_params_set_access")
    if let format {
      try LibALSA.check(
        snd_pcm_hw_params_set_format(handle, parameters, Self.code(format)),
        "snd_pcm_hw_params_set_format")
    }
    return try body(parameters)
  }

  func capabilities(
    rates: [Int], channelCounts: ClosedRange<Int>
  ) throws(ALSAFailure) -> [ALSACapability] {
    var found: [ALSACapability] = []
    for format in ALSASampleFormat.allCases {
      let isThere = try withParameters(nil) { parameters throws(ALSAFailure) in
        snd_pcm_hw_params_test_format(handle, parameters, Self.code(format)) == 0
      }
      guard isThere else { continue }
      let capability = try withParameters(format) { parameters throws(ALSAFailure) in
        ALSACapability(
          format: format,
          sampleRates: rates.filter {
            snd_pcm_hw_params_test_rate(handle, parameters, UInt32($0), 0) == 0
          },
          channelCounts: channelCounts.filter {
            snd_pcm_hw_params_test_channels(handle, parameters, UInt32($0)) == 0
          })
      }
      found.append(capability)
    }
    return found
  }

  func configure(_ wanted: ALSAConfiguration) throws(ALSAFailure) -> ALSAConfiguration {
    var agreed = wanted
    try withParameters(wanted.format) { parameters throws(ALSAFailure) in
      try LibALSA.check(
        snd_pcm_hw_params_set_channels(handle, parameters, UInt32(wanted.channelCount)),
        "snd_pcm_hw_params_set_channels")
      try LibALSA.check(
        snd_pcm_hw_params_set_rate(handle, parameters, UInt32(wanted.sampleRate), 0),
        "snd_pcm_hw_params_set_rate")
      var period = snd_pcm_uframes_t(wanted.periodFrames)
      var direction: Int32 = 0
      try LibALSA.check(
        snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, &direction),
        "snd_pcm_hw_params_set_period_size_near")
      var buffer = snd_pcm_uframes_t(wanted.bufferFrames)
      try LibALSA.check(
        snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer),
        "snd_pcm_hw_params_set_buffer_size_near")
      try LibALSA.check(snd_pcm_hw_params(handle, parameters), "snd_pcm_hw_params")
      agreed.periodFrames = Int(period)
      agreed.bufferFrames = Int(buffer)
    }
    try setSoftware(agreed)
    return agreed
  }

  private func setSoftware(_ agreed: ALSAConfiguration) throws(ALSAFailure) {
    var parameters: OpaquePointer?
    try LibALSA.check(snd_pcm_sw_params_malloc(&parameters), "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(parameters) }
    try LibALSA.check(snd_pcm_sw_params_current(handle, parameters), "snd_pcm_sw_params_current")
    try LibALSA.check(
      snd_pcm_sw_params_set_avail_min(
        handle, parameters, snd_pcm_uframes_t(agreed.periodFrames)),
      "snd_pcm_sw_params_set_avail_min")
    try LibALSA.check(
      snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE),
      "snd_pcm_sw_params_set_tstamp_mode")
    try LibALSA.check(
      snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC),
      "snd_pcm_sw_params_set_tstamp_type")
    try LibALSA.check(snd_pcm_sw_params(handle, parameters), "snd_pcm_sw_params")
  }

  func start() throws(ALSAFailure) { try LibALSA.check(snd_pcm_start(handle), "snd_pcm_start") }

  func prepare() throws(ALSAFailure) {
    try LibALSA.check(snd_pcm_prepare(handle), "snd_pcm_prepare")
  }

  func wait(milliseconds: Int32) throws(ALSAFailure) -> Bool {
    try LibALSA.check(snd_pcm_wait(handle, milliseconds), "snd_pcm_wait") > 0
  }

  func timestamp() throws(ALSAFailure) -> (frames: Int, nanoseconds: Int64?) {
    // Brings the counters and their time up to date.
    let ready = snd_pcm_avail(handle)
    guard ready >= 0 else {
      throw ALSAFailure(errno: Errno(rawValue: Int32(clamping: -ready)), call: "snd_pcm_avail")
    }
    var frames: snd_pcm_uframes_t = 0
    var time = snd_htimestamp_t()
    try LibALSA.check(snd_pcm_htimestamp(handle, &frames, &time), "snd_pcm_htimestamp")
    // A driver's numbers may be any.
    let nanoseconds = Int64(time.tv_sec).multipliedSaturating(by: 1_000_000_000)
      .addingSaturating(Int64(time.tv_nsec))
    return (Int(clamping: frames), nanoseconds > 0 ? nanoseconds : nil)
  }

  func read(
    into bytes: UnsafeMutableRawBufferPointer, frames: Int
  ) throws(ALSAFailure) -> Int {
    let count = snd_pcm_readi(handle, bytes.baseAddress, snd_pcm_uframes_t(frames))
    guard count >= 0 else {
      throw ALSAFailure(errno: Errno(rawValue: Int32(clamping: -count)), call: "snd_pcm_readi")
    }
    return count
  }

  func drop() { snd_pcm_drop(handle) }
}
