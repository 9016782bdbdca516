package dev.hearth.spi.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and networks; names are never looked up. */
class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "10.1.2.128/25, 10.1.2.127, false",
        "10.1.2.128/25, 10.1.2.200, true",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "[::1], ::1, true"
    })
    void containsAddresses(String range, String address, boolean contained) {
        assertEquals(
                contained,
                AddressRange.parse(range)
                        .orElseThrow()
                        .contains(AddressRange.address(address).orElseThrow()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "host.example", "abc", "10.0.0", "10.0.0.0/33", "::1/129", "300.0.0.1", "10.0.0.0/", "1:2"})
    void refusesEverythingElse(String text) {
        assertEquals(Optional.empty(), AddressRange.parse(text).map(AddressRange::toString));
    }

    @Test
    void anAddressIsNoNetwork() {
        assertEquals(Optional.empty(), AddressRange.address("10.0.0.0/8"));
    }
}
