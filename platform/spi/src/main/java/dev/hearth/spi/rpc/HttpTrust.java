package dev.hearth.spi.rpc;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.net.AddressRange;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Beliefs of an HTTP server about its clients: the proxies whose headers about a client count, the names by which the
 * server may be addressed, and the gates without which it serves no request. Read from {@code hearth.rest.*}.
 * {@code gate} is a gate of this port alone: it decides before those of the process, and with it the port takes HTTP
 * without encryption, too. Immutable.
 */
public record HttpTrust(
        List<AddressRange> trustedProxies,
        List<String> allowedHosts,
        List<String> requiredGates,
        Optional<HttpGate> gate) {
    /** No proxies, no further host names and no required gates. */
    public static final HttpTrust NONE = new HttpTrust(List.of(), List.of(), List.of());

    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[\\w-]+(\\.[\\w-]+)*");

    private static final SettingKey<List<String>> TRUSTED_PROXIES = SettingKey.list(
            "hearth.rest.trustedProxies",
            List.of(),
            "Addresses and networks (10.0.0.0/8) of proxies in front of the HTTP server; only their headers"
                    + " X-Forwarded-For, -Proto, -Host, -Prefix and -User are believed.");
    private static final SettingKey<List<String>> ALLOWED_HOSTS = SettingKey.list(
            "hearth.rest.allowedHosts",
            List.of(),
            "Names by which clients may address the HTTP server, such as hearth.example or *.example. With any, a request"
                    + " with another name is refused, unless it is an address, localhost or the advertised host.");
    private static final SettingKey<List<String>> REQUIRED_GATES = SettingKey.list(
            "hearth.rest.requiredGates",
            List.of(),
            "Names of the HTTP gates (bundles that decide on requests) without which every request is refused.");
    static final List<SettingKey<?>> KEYS = List.of(TRUSTED_PROXIES, ALLOWED_HOSTS, REQUIRED_GATES);

    public HttpTrust {
        trustedProxies = List.copyOf(trustedProxies);
        allowedHosts =
                allowedHosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        requiredGates = List.copyOf(requiredGates);
    }

    /** Creates beliefs of a port without a gate of its own. */
    public HttpTrust(List<AddressRange> trustedProxies, List<String> allowedHosts, List<String> requiredGates) {
        this(trustedProxies, allowedHosts, requiredGates, Optional.empty());
    }

    /** Copy for a port on which {@code own} decides first. */
    public HttpTrust behind(HttpGate own) {
        return new HttpTrust(trustedProxies, allowedHosts, requiredGates, Optional.of(own));
    }

    static HttpTrust read(SettingsReader in) {
        List<String> proxies = in.read(TRUSTED_PROXIES);
        List<String> hosts = in.read(ALLOWED_HOSTS);
        in.expect(
                proxies.stream().allMatch(proxy -> AddressRange.parse(proxy).isPresent()),
                TRUSTED_PROXIES,
                "addresses and networks such as 10.0.0.7 or 10.0.0.0/8, separated by commas; names are not resolved");
        in.expect(
                hosts.stream().allMatch(host -> HOST.matcher(host).matches()),
                ALLOWED_HOSTS,
                "host names without port, such as hearth.example or *.example, separated by commas");
        return new HttpTrust(
                proxies.stream()
                        .flatMap(proxy -> AddressRange.parse(proxy).stream())
                        .toList(),
                hosts,
                in.read(REQUIRED_GATES));
    }

    /** Whether {@code host}, a name in lower case without port, is one of the allowed names. */
    public boolean allows(String host) {
        return allowedHosts.stream()
                .anyMatch(name -> name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name));
    }
}
