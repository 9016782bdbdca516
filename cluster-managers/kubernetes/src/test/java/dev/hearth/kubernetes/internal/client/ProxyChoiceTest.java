package dev.hearth.kubernetes.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Choice of a proxy (H7). */
class ProxyChoiceTest {
    private static final Optional<InetSocketAddress> PROXY =
            Optional.of(InetSocketAddress.createUnresolved("proxy.example", 3128));

    private static Optional<InetSocketAddress> of(String server, String configured, Map<String, String> environment) {
        return ProxyChoice.of(URI.create(server), configured, environment);
    }

    @Test
    void takesTheProxyOfTheSchemeOrThatOfAll() {
        Map<String, String> https = Map.of("HTTPS_PROXY", "http://proxy.example:3128");
        assertEquals(PROXY, of("https://api.example:6443", "", https));
        assertEquals(Optional.empty(), of("http://api.example:6443", "", https));
        assertEquals(PROXY, of("http://api.example", "", Map.of("http_proxy", "proxy.example:3128")));
        assertEquals(PROXY, of("https://api.example", "", Map.of("ALL_PROXY", "http://proxy.example:3128/")));
        assertEquals(Optional.empty(), of("https://api.example", "", Map.of("HTTPS_PROXY", "")));
    }

    @Test
    void prefersTheProxyOfTheKubeconfigFile() {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://other:1", "NO_PROXY", "*");
        assertEquals(PROXY, of("https://api.example", "http://proxy.example:3128", environment));
    }

    @ParameterizedTest
    @CsvSource({
        "api.example, true",
        ".example, true",
        "example, true",
        "xample, false",
        "'other, api.example', true",
        "api.example:6443, true",
        "api.example:443, false",
        "*, true",
        "'', false",
        "10.0.0.0/8, false",
    })
    void obeysNoProxyForNames(String exceptions, boolean direct) {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://proxy.example:3128", "NO_PROXY", exceptions);
        assertEquals(direct, of("https://API.example:6443", "", environment).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, true",
        "10.0.0.0/8, true",
        "10.1.2.0/23, true",
        "10.1.3.0/24, false",
        "10.1.2, false",
        "2.3, true", // a suffix, as in other clients
        "fd00::/8, false",
    })
    void obeysNoProxyForAddresses(String exceptions, boolean direct) {
        Map<String, String> environment = Map.of("https_proxy", "http://proxy.example:3128", "no_proxy", exceptions);
        assertEquals(direct, of("https://10.1.2.3:6443", "", environment).isEmpty());
    }

    @Test
    void knowsAddressesOfTheSixthVersion() {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://proxy.example:3128", "NO_PROXY", "fd00::/8");
        assertTrue(of("https://[fd12::1]:6443", "", environment).isEmpty());
        assertFalse(of("https://[fe12::1]:6443", "", environment).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://localhost:1", "https://127.0.0.1", "https://[::1]:6443"})
    void reachesThisMachineDirectly(String server) {
        assertTrue(of(server, "", Map.of("HTTPS_PROXY", "http://proxy.example:3128"))
                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "socks5://proxy.example:1080",
                "https://proxy.example",
                "http://me:pass-word@proxy.example:1",
                "http:// x"
            })
    void refusesOtherProxiesWithoutTheirPasswords(String proxy) {
        HearthException refused =
                assertThrows(HearthException.class, () -> of("https://api.example", "", Map.of("HTTPS_PROXY", proxy)));
        assertEquals("BAD_SETTING", refused.code());
        assertTrue(refused.getMessage().startsWith("HTTPS_PROXY: "), refused::getMessage);
        assertFalse(refused.getMessage().contains("pass-word"), refused::getMessage);
    }
}
