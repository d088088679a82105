import QuickTime
import Testing

/// At any moment at which somebody may check, the disk's free space and the movie's reserved space
/// add up to all that may be written.
@Suite struct ReservedSpaceTests {
  @Test(arguments: [false, true], Take.Placement.allCases)
  func free_and_reserved_space_add_up_at_any_moment(
    keepsPart: Bool, placement: Take.Placement
  ) throws {
    // Too little for the first step, so the movie reserves only what it needs.
    let disk = SmallDisk(capacity: 24 << 20, keepsPartOfReservation: keepsPart)
    let space = ReservedSpace()
    var take = Take().with(placement)
    take.configuration.reservedSpace = space
    var looks = 0
    disk.look = { [unowned disk] in
      looks += 1
      let known = disk.free + UInt64(space.byteCount)
      #expect(known >= disk.capacity - max(disk.written, 1 << 20))
    }
    try take.record(into: disk)
    #expect(looks > 20)
    #expect(space.byteCount == 0)
    #expect(disk.held == disk.written)
  }

  @Test func cancelled_or_discarded_movies_release_reserved_space() throws {
    let space = ReservedSpace()
    var take = Take()
    take.configuration.reservedSpace = space
    let (writer, ids) = try take.begin(SmallDisk(capacity: 1 << 30, keepsPartOfReservation: false))
    try take.append(to: writer, ids)
    #expect(space.byteCount > 100 << 20)
    writer.cancel()
    #expect(space.byteCount == 0)
    do {
      _ = try take.begin(SmallDisk(capacity: 1 << 30, keepsPartOfReservation: false))
    }
    #expect(space.byteCount == 0)
  }
}
