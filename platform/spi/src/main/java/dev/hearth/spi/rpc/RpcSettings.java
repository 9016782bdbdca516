package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a message system. {@code listen} is empty for a process that only connects. Read from
 * {@code hearth.rpc.*}, {@code hearth.authenticate*}, {@code hearth.ssl.rpc.*} and {@code hearth.rest.*}. Without
 * authentication, a process may listen on the loopback interface only, unless the network is declared trusted.
 * Immutable.
 */
public record RpcSettings(
        Optional<Listen> listen, RpcSecurity security, RpcLimits limits, RpcTimes times, HttpTrust trust) {
    /**
     * Setting of the address that all ports are bound to. It is public because modules with their own port settings
     * read it too.
     */
    public static final SettingKey<String> BIND_ADDRESS = SettingKey.text(
                    "hearth.rpc.bindAddress",
                    "",
                    "The address to bind ports to, where it differs from the advertised address.")
            .withoutDefault("the advertised address");
    /**
     * Setting of the number of further ports that drivers, executors and workers try if a port is taken; the module
     * engine declares this setting.
     */
    public static final SettingKey<Integer> PORT_RETRIES = SettingKey.integer(
            "hearth.port.maxRetries",
            16,
            0,
            65_535,
            "How many ports after hearth.driver.port, hearth.ui.port, hearth.blockManager.port and hearth.worker.port are"
                    + " tried if it is taken.");
    /** Keys of the settings of message systems; the module rpc declares these settings. */
    public static final List<SettingKey<?>> KEYS = keys();

    private static final int PORT_MAX = 65_535;

    public RpcSettings {
        if (listen.isPresent() && !security.admitsStrangersOn(listen.get())) {
            throw ErrorCode.BAD_SETTING.failure(
                    "address to listen on: " + listen.get().bindHost()
                            + " (expected: a loopback address such as 127.0.0.1, while there is no authentication); set"
                            + " hearth.authenticate=true with a secret, or hearth.rpc.trustedNetwork=true, which lets"
                            + " anyone who can reach the port run code");
        }
    }

    /** Creates settings without trusted proxies, allowed hosts and required gates of the HTTP server. */
    public RpcSettings(Optional<Listen> listen, RpcSecurity security, RpcLimits limits, RpcTimes times) {
        this(listen, security, limits, times, HttpTrust.NONE);
    }

    /** The RPC part of {@code settings}, for a process that only connects to others and does not listen. */
    public static RpcSettings connecting(Settings settings) {
        return read(settings, Optional.empty());
    }

    /**
     * The RPC part of {@code settings}, for a process that listens on exactly {@code port}, at {@code
     * hearth.rpc.bindAddress} or else at {@code host}.
     */
    public static RpcSettings listening(Settings settings, String host, int port) {
        return listening(settings, host, port, 0);
    }

    /**
     * As {@link #listening(Settings, String, int)}, but if {@code port} is taken, as many of the next ports are tried as
     * {@link #PORT_RETRIES} says.
     */
    public static RpcSettings listeningFrom(Settings settings, String host, int port) {
        SettingsReader in = new SettingsReader(settings);
        int retries = in.read(PORT_RETRIES);
        in.finish();
        return listening(settings, host, port, port == 0 ? 0 : retries);
    }

    private static RpcSettings listening(Settings settings, String host, int port, int retries) {
        SettingsReader in = new SettingsReader(settings);
        String bind =
                in.find(BIND_ADDRESS).filter(address -> !address.isBlank()).orElse(host);
        in.finish();
        return listening(settings, new Listen(bind, port, host, retries));
    }

    /** The RPC part of {@code settings}, for a process that listens at {@code where}. */
    public static RpcSettings listening(Settings settings, Listen where) {
        return read(settings, Optional.of(where));
    }

    /**
     * Copy for a port on which {@code gate} decides about HTTP requests before all other gates, and which serves those that
     * it admits without encryption, too.
     */
    public RpcSettings behind(HttpGate gate) {
        return new RpcSettings(listen, security, limits, times, trust.behind(gate));
    }

    private static RpcSettings read(Settings settings, Optional<Listen> listen) {
        SettingsReader in = new SettingsReader(settings);
        RpcLimits limits = RpcLimits.read(in);
        RpcTimes times = RpcTimes.read(in);
        RpcSecurity security = RpcSecurity.read(in);
        HttpTrust trust = HttpTrust.read(in);
        in.finish();
        return new RpcSettings(listen, security, limits, times, trust);
    }

    private static List<SettingKey<?>> keys() {
        List<SettingKey<?>> all = new ArrayList<>(List.of(BIND_ADDRESS));
        all.addAll(RpcLimits.KEYS);
        all.addAll(RpcTimes.KEYS);
        all.addAll(RpcSecurity.KEYS);
        all.addAll(HttpTrust.KEYS);
        return Collections.unmodifiableList(all);
    }

    /**
     * Address to listen on, and the address that other processes connect to. {@code port} 0 takes any free port; if
     * another port is taken, the next {@code portRetries} ports are tried.
     */
    public record Listen(String bindHost, int port, String advertisedHost, int portRetries) {
        public Listen {
            if (port < 0 || port > PORT_MAX || portRetries < 0) {
                throw ErrorCode.BAD_SETTING.failure("port to listen on: " + port + ", followed by " + portRetries
                        + " others (expected: 0 to " + PORT_MAX + ", followed by 0 or more)");
            }
        }

        /** An address with {@code host} both to listen and to advertise, and {@code port} as the only port to try. */
        public Listen(String host, int port) {
            this(host, port, host, 0);
        }

        /**
         * Whether only this machine can connect to the address. Host names other than {@code localhost} are not
         * resolved.
         */
        public boolean isLoopback() {
            return bindHost.equals("localhost") || bindHost.equals("::1") || bindHost.matches("127(\\.\\d{1,3}){3}");
        }
    }
}
