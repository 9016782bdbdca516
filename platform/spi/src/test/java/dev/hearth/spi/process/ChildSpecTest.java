package dev.hearth.spi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Addresses of the output files of child processes. */
class ChildSpecTest {
    @Test
    void formsAddressesOfOutputFiles() {
        assertEquals(
                Map.of("stderr", "file://host-a/w/my%20app/0/stderr", "stdout", "file://host-a/w/my%20app/0/stdout"),
                ChildSpec.logLinks("host-a", "/w/my app/0"));
        assertEquals(
                "file://[::1]/w/%C3%A4/stdout",
                ChildSpec.logLinks("::1", "/w/\u00e4").get("stdout"));
        assertEquals(Map.of(), ChildSpec.logLinks("no host", "/w"));
        assertEquals(Map.of(), ChildSpec.logLinks("host-a", "relative"));
    }
}
