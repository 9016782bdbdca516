package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Problems;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a process sends messages. {@code listen} is empty for a process that only connects; port 0 takes any free one.
 * Read from {@code hearth.rpc.*}. Without authentication only the loopback interface may be listened on, unless
 * {@code hearth.rpc.trustedNetwork} says that everybody who reaches the port may run code here.
 */
public record RpcSettings(
        Optional<Listen> listen,
        boolean trustedNetwork,
        int messageBytesMax,
        int asksPerPeerMax,
        Duration connectTimeout,
        Duration handshakeTimeout) {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int MESSAGE_MEBIBYTES_MAX = 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);
    private static final SettingKey<Boolean> TRUSTED_NETWORK = SettingKey.flag(
            "hearth.rpc.trustedNetwork",
            false,
            "Whether everybody who reaches a port of ours may run code here: allows listening on other addresses than"
                    + " loopback without authentication.");
    private static final SettingKey<Integer> MESSAGE_MAX_SIZE = SettingKey.mebibytes(
            "hearth.rpc.message.maxSize", 128, 1, MESSAGE_MEBIBYTES_MAX, "The longest message sent or taken.");
    private static final SettingKey<Integer> ASKS_PER_PEER_MAX = SettingKey.integer(
            "hearth.rpc.asksPerPeerMax",
            65_536,
            1,
            Integer.MAX_VALUE,
            "How many questions to one peer may wait for their answers.");
    private static final SettingKey<Duration> CONNECT_TIMEOUT = SettingKey.duration(
            "hearth.rpc.connectTimeout", TIMEOUT, TIMEOUT_MIN, "How long a connection may take to come about.");
    private static final SettingKey<Duration> HANDSHAKE_TIMEOUT = SettingKey.duration(
            "hearth.rpc.handshakeTimeout",
            TIMEOUT,
            TIMEOUT_MIN,
            "How long a new connection may take to show that it speaks our protocol.");
    /** What is read here; the room rpc declares them. */
    public static final List<SettingKey<?>> KEYS =
            List.of(TRUSTED_NETWORK, MESSAGE_MAX_SIZE, ASKS_PER_PEER_MAX, CONNECT_TIMEOUT, HANDSHAKE_TIMEOUT);

    private static final int PORT_MAX = 65_535;

    public RpcSettings {
        new Problems("hearth.rpc")
                .expect(
                        messageBytesMax >= MEBIBYTE && messageBytesMax <= MESSAGE_MEBIBYTES_MAX * MEBIBYTE,
                        "message.maxSize",
                        messageBytesMax,
                        "1m to 1024m")
                .expect(asksPerPeerMax > 0, "asksPerPeerMax", asksPerPeerMax, "1 or more")
                .expect(connectTimeout.toMillis() > 0, "connectTimeout", connectTimeout, "more than 0")
                .expect(handshakeTimeout.toMillis() > 0, "handshakeTimeout", handshakeTimeout, "more than 0")
                .throwIfAny();
        if (listen.isPresent() && !trustedNetwork && !listen.get().isLoopback()) {
            throw ErrorCode.BAD_SETTING.failure(
                    "address to listen on: " + listen.get().host()
                            + " (expected: a loopback address such as 127.0.0.1, while there is no authentication); or set"
                            + " hearth.rpc.trustedNetwork=true, which lets everybody who reaches the port run code");
        }
    }

    /** The settings of a process that only connects. */
    public static RpcSettings connecting(Settings settings) {
        return read(settings, Optional.empty());
    }

    /** The settings of a process that listens on {@code host} and {@code port}. */
    public static RpcSettings listening(Settings settings, String host, int port) {
        return read(settings, Optional.of(new Listen(host, port)));
    }

    private static RpcSettings read(Settings settings, Optional<Listen> listen) {
        SettingsReader in = new SettingsReader(settings);
        boolean trusted = in.read(TRUSTED_NETWORK);
        int mebibytes = in.read(MESSAGE_MAX_SIZE);
        int asks = in.read(ASKS_PER_PEER_MAX);
        Duration connect = in.read(CONNECT_TIMEOUT);
        Duration handshake = in.read(HANDSHAKE_TIMEOUT);
        in.finish();
        return new RpcSettings(listen, trusted, mebibytes * MEBIBYTE, asks, connect, handshake);
    }

    /** Where to listen. */
    public record Listen(String host, int port) {
        public Listen {
            if (port < 0 || port > PORT_MAX) {
                throw ErrorCode.BAD_SETTING.failure(
                        "port to listen on: " + port + " (expected: 0 to " + PORT_MAX + ")");
            }
        }

        /** Whether only this machine reaches the address; names are not looked up, but {@code localhost}. */
        public boolean isLoopback() {
            return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
        }
    }
}
