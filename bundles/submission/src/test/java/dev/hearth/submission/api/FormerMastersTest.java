package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormerMastersTest {
    private final List<String> warnings = new ArrayList<>();

    private Settings resolved(Map<String, String> settings) {
        return FormerMasters.resolved(Settings.empty().with("test", settings), warnings::add);
    }

    @ParameterizedTest
    @CsvSource({"yarn-client, client", "yarn-cluster, cluster"})
    void namesTheMasterAndTheModeApart(String master, String mode) {
        Settings settings = resolved(Map.of("spark.master", master));
        assertEquals("yarn", settings.find("hearth.master").orElse(""));
        assertEquals(mode, settings.find("hearth.submit.deployMode").orElse(""));
        assertEquals(
                List.of("Master " + master
                        + " is deprecated since 2.0. Please use master \"yarn\" with specified deploy mode"
                        + " instead."),
                warnings);
    }

    @ParameterizedTest
    @CsvSource({
        "yarn-cluster, client, Client deploy mode is not compatible with master \"yarn-cluster\"",
        "yarn-client, cluster, Cluster deploy mode is not compatible with master \"yarn-client\""
    })
    void refusesTheOtherModeInTheWordsOfSpark(String master, String mode, String words) {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> resolved(Map.of("hearth.master", master, "hearth.submit.deployMode", mode)));
        assertEquals(words, refused.getMessage());
        assertEquals("BAD_ARGUMENT", refused.code());
    }

    @Test
    void acceptsTheSameModeTwice() {
        assertEquals(
                "cluster",
                resolved(Map.of("hearth.master", "yarn-cluster", "hearth.submit.deployMode", "CLUSTER"))
                        .find("hearth.submit.deployMode")
                        .orElse(""));
    }

    @Test
    void leavesOtherMastersAlone() {
        Settings settings = Settings.empty().with("test", "hearth.master", "yarn");
        assertSame(settings, FormerMasters.resolved(settings, warnings::add));
        assertEquals(List.of(), warnings);
    }
}
