package dev.hearth.spi.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults and validation of the message system's settings. */
class RpcSettingsTest {
    @Test
    void hasDefaults() {
        assertEquals(
                new RpcSettings(
                        Optional.empty(),
                        RpcSecurity.NONE,
                        new RpcLimits(128 * 1024 * 1024, 65_536, 20_000, 1_024, 0, 100 * 1024 * 1024, 0, 0, 0),
                        new RpcTimes(
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(2),
                                Duration.ofMillis(100),
                                Duration.ofSeconds(10))),
                RpcSettings.connecting(Settings.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "hearth.rpc.message.maxSize, 1025m",
        "hearth.rpc.message.maxSize, 2g",
        "hearth.rpc.connectTimeout, 99999999999d",
        "hearth.rpc.handshakeTimeout, 0s",
        "hearth.rpc.asksPerPeerMax, 0",
        "hearth.rpc.unauthenticatedMax, -1",
        "hearth.rest.maxResponseMemory, -1m",
        "hearth.rest.responseStallTimeout, 0s",
        "hearth.rest.trustedProxies, proxy.example",
        "hearth.rest.allowedHosts, pages.example:80",
        "hearth.rpc.trustedNetwork, yes"
    })
    void rejectsInvalidValues(String key, String value) {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> RpcSettings.connecting(Settings.empty().with("--conf", key, value)));
        assertEquals("BAD_SETTING", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith(key + ": " + value + " (expected: "));
    }

    @Test
    void triesFurtherPortsOnlyOfAGivenOne() {
        Settings settings = Settings.empty().with("--conf", "hearth.port.maxRetries", "3");
        assertEquals(
                new RpcSettings.Listen("127.0.0.1", 7000, "127.0.0.1", 3),
                RpcSettings.listeningFrom(settings, "127.0.0.1", 7000).listen().orElseThrow());
        assertEquals(
                0,
                RpcSettings.listeningFrom(settings, "127.0.0.1", 0)
                        .listen()
                        .orElseThrow()
                        .portRetries());
        assertEquals(
                0,
                RpcSettings.listening(settings, "127.0.0.1", 7000)
                        .listen()
                        .orElseThrow()
                        .portRetries());
    }

    @Test
    void waitsForAnswersAsLongAsTheSettingsSay() {
        Duration usual = Duration.ofSeconds(30);
        assertEquals(usual, RpcTimes.ask(Settings.empty(), usual));
        Settings network = Settings.empty().with("--conf", "spark.network.timeout", "300s");
        assertEquals(Duration.ofMinutes(5), RpcTimes.ask(network, usual));
        assertEquals(Duration.ofSeconds(7), RpcTimes.ask(network.with("--conf", "spark.rpc.askTimeout", "7s"), usual));
    }

    @Test
    void readsWhatTheHttpServerBelieves() {
        Settings settings = Settings.empty()
                .with("--conf", "hearth.rest.trustedProxies", "10.0.0.0/8, ::1")
                .with("--conf", "hearth.rest.allowedHosts", "Pages.example,*.lab.example")
                .with("--conf", "hearth.rest.requiredGates", "front");
        HttpTrust trust = RpcSettings.connecting(settings).trust();
        assertEquals("[10.0.0.0/8, 0:0:0:0:0:0:0:1/128]", String.valueOf(trust.trustedProxies()));
        assertTrue(trust.allows("pages.example") && trust.allows("a.lab.example"));
        assertFalse(trust.allows("lab.example") || trust.allows("evilpages.example"));
        assertEquals(List.of("front"), trust.requiredGates());
    }

    @Test
    void usesTheNetworkTimeoutForSilenceByDefault() {
        Settings field = Settings.empty().with("--conf", "spark.network.timeout", "300s");
        assertEquals(
                Duration.ofMinutes(5), RpcSettings.connecting(field).times().silence());
        Settings both = field.with("--conf", "hearth.rpc.silenceTimeout", "20s");
        assertEquals(
                Duration.ofSeconds(20), RpcSettings.connecting(both).times().silence());
    }

    @Test
    void listensOnlyWhereItIsSecure() {
        assertEquals(
                65_535,
                RpcSettings.listening(Settings.empty(), "127.0.0.1", 65_535)
                        .listen()
                        .orElseThrow()
                        .port());
        assertThrows(HearthException.class, () -> RpcSettings.listening(Settings.empty(), "127.0.0.1", 65_536));
        assertThrows(HearthException.class, () -> RpcSettings.listening(Settings.empty(), "0.0.0.0", 0));
        Settings trusted = Settings.empty().with("--conf", "hearth.rpc.trustedNetwork", "true");
        assertEquals(
                0,
                RpcSettings.listening(trusted, "0.0.0.0", 0)
                        .listen()
                        .orElseThrow()
                        .port());
    }
}
