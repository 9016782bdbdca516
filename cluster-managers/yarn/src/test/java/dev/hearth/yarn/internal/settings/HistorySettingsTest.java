package dev.hearth.yarn.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Addresses of ended applications on a history server. */
class HistorySettingsTest {
    private static final Map<String, String> HADOOP =
            Map.of("yarn.resourcemanager.hostname", "manager", "port", "18080");

    private static HistorySettings read(Map<String, String> settings) {
        SettingsReader in = new SettingsReader(Settings.empty().with("test", settings));
        HistorySettings read = HistorySettings.read(in);
        in.finish();
        return read;
    }

    private static String link(String address, Optional<String> attempt) {
        return read(Map.of("spark.yarn.historyServer.address", address))
                .link(key -> Optional.ofNullable(HADOOP.get(key)), "application_1_0001", attempt);
    }

    @Test
    void namesTheApplicationAndItsAttempt() {
        assertEquals("http://history:18080/history/application_1_0001/2", link("history:18080", Optional.of("2")));
        assertEquals("https://history/history/application_1_0001", link("https://history/", Optional.empty()));
    }

    @Test
    void putsValuesOfHadoopIn() {
        assertEquals(
                "http://manager:18080/history/application_1_0001/1",
                link("${hadoopconf-yarn.resourcemanager.hostname}:${hadoopconf-port}", Optional.of("1")));
        assertEquals(
                "http://${hadoopconf-none}/history/application_1_0001", link("${hadoopconf-none}", Optional.empty()));
    }

    @Test
    void hasNoPageWithoutAServer() {
        HistorySettings none = read(Map.of());
        assertEquals("", none.link(key -> Optional.empty(), "application_1_0001", Optional.empty()));
        assertFalse(none.tracksWithoutPages());
    }
}
