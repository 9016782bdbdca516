package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MachineSettingsTest {
    private static final Map<String, String> ALL = Map.of(
            "hearth.driver.host", "h",
            "hearth.driver.bindAddress", "b",
            "hearth.rpc.bindAddress", "r",
            "hearth.ssl.rpc.certChain", "/c",
            "hearth.ssl.rpc.privateKey", "/k",
            "hearth.ssl.rpc.trustCerts", "/t",
            "hearth.local.dir", "/l",
            "hearth.driver.port", "7000");

    @Test
    void stayOnTheMachineOfTheSubmitter() {
        assertEquals(
                Map.of("hearth.local.dir", "/l", "hearth.rpc.bindAddress", "r", "hearth.driver.port", "7000"),
                MachineSettings.without(ALL));
    }

    @Test
    void passFromADaemonToItsChildren() {
        assertEquals(
                Map.of(
                        "hearth.rpc.bindAddress", "r",
                        "hearth.ssl.rpc.certChain", "/c",
                        "hearth.ssl.rpc.privateKey", "/k",
                        "hearth.ssl.rpc.trustCerts", "/t",
                        "hearth.local.dir", "/l"),
                MachineSettings.of(Settings.empty().with("conf", ALL)));
    }
}
