package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Problems;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
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
        boolean trusted = in.flag("hearth.rpc.trustedNetwork", false);
        int mebibytes = in.mebibytes("hearth.rpc.message.maxSize", 128);
        int asks = in.integer("hearth.rpc.asksPerPeerMax", 65_536, 1);
        Duration connect = in.duration("hearth.rpc.connectTimeout", Duration.ofSeconds(10));
        Duration handshake = in.duration("hearth.rpc.handshakeTimeout", Duration.ofSeconds(10));
        in.finish();
        int bytes = Math.min(mebibytes, MESSAGE_MEBIBYTES_MAX) * MEBIBYTE;
        return new RpcSettings(listen, trusted, bytes, asks, connect, handshake);
    }

    /** Where to listen. */
    public record Listen(String host, int port) {
        /** Whether only this machine reaches the address; names are not looked up, but {@code localhost}. */
        public boolean isLoopback() {
            return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
        }
    }
}
