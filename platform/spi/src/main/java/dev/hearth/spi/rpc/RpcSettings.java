package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How a process sends and receives. {@code listen} is empty for a process that only connects. Read from
 * {@code hearth.rpc.*}, {@code hearth.authenticate*}, {@code hearth.ssl.rpc.*} and {@code hearth.rest.*}. Without
 * authentication only the loopback interface may be listened on, unless the network is trusted by name.
 */
public record RpcSettings(Optional<Listen> listen, RpcSecurity security, RpcLimits limits, RpcTimes times) {
    /** Where ports are opened, for those who have settings of their own for it as well. */
    public static final SettingKey<String> BIND_ADDRESS = SettingKey.text(
                    "hearth.rpc.bindAddress",
                    "",
                    "The address of this machine that ports are opened on, where it is another one than others are told.")
            .withoutDefault("the address that others are told");
    /** For drivers' ports; the room engine declares it. */
    public static final SettingKey<Integer> PORT_RETRIES = SettingKey.integer(
            "hearth.port.maxRetries",
            16,
            0,
            65_535,
            "How many ports after hearth.driver.port, and after hearth.ui.port, are tried where it is taken.");
    /** What is read here; the room rpc declares them. */
    public static final List<SettingKey<?>> KEYS = keys();

    private static final int PORT_MAX = 65_535;

    public RpcSettings {
        if (listen.isPresent() && !security.admitsStrangersOn(listen.get())) {
            throw ErrorCode.BAD_SETTING.failure(
                    "address to listen on: " + listen.get().bindHost()
                            + " (expected: a loopback address such as 127.0.0.1, while there is no authentication); set"
                            + " hearth.authenticate=true with a secret, or hearth.rpc.trustedNetwork=true, which lets"
                            + " everybody who reaches the port run code");
        }
    }

    /** The settings of a process that only connects. */
    public static RpcSettings connecting(Settings settings) {
        return read(settings, Optional.empty());
    }

    /** The settings of a process that listens on {@code host}, or on {@code hearth.rpc.bindAddress}, and {@code port} alone. */
    public static RpcSettings listening(Settings settings, String host, int port) {
        SettingsReader in = new SettingsReader(settings);
        String bind =
                in.find(BIND_ADDRESS).filter(address -> !address.isBlank()).orElse(host);
        in.finish();
        return listening(settings, new Listen(bind, port, host, 0));
    }

    /** The settings of a process that listens just there. */
    public static RpcSettings listening(Settings settings, Listen where) {
        return read(settings, Optional.of(where));
    }

    private static RpcSettings read(Settings settings, Optional<Listen> listen) {
        SettingsReader in = new SettingsReader(settings);
        RpcLimits limits = RpcLimits.read(in);
        RpcTimes times = RpcTimes.read(in);
        RpcSecurity security = RpcSecurity.read(in);
        in.finish();
        return new RpcSettings(listen, security, limits, times);
    }

    private static List<SettingKey<?>> keys() {
        List<SettingKey<?>> all = new ArrayList<>(List.of(BIND_ADDRESS));
        all.addAll(RpcLimits.KEYS);
        all.addAll(RpcTimes.KEYS);
        all.addAll(RpcSecurity.KEYS);
        return Collections.unmodifiableList(all);
    }

    /**
     * Where to listen, and what others are told: {@code port} 0 takes any free one, another one that is taken is followed
     * by the next, {@code portRetries} times.
     */
    public record Listen(String bindHost, int port, String advertisedHost, int portRetries) {
        public Listen {
            if (port < 0 || port > PORT_MAX || portRetries < 0) {
                throw ErrorCode.BAD_SETTING.failure("port to listen on: " + port + ", followed by " + portRetries
                        + " others (expected: 0 to " + PORT_MAX + ", followed by 0 or more)");
            }
        }

        /** One address that is both, and one port. */
        public Listen(String host, int port) {
            this(host, port, host, 0);
        }

        /** Whether only this machine reaches the address; names are not looked up, but {@code localhost}. */
        public boolean isLoopback() {
            return bindHost.equals("localhost") || bindHost.equals("::1") || bindHost.matches("127(\\.\\d{1,3}){3}");
        }
    }
}
