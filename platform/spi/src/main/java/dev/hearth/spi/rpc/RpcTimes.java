package dev.hearth.spi.rpc;

import dev.hearth.spi.settings.Problems;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Timeouts and reconnect delays of the connections of a process. Read from {@code hearth.rpc.*} and {@code
 * hearth.rest.*}, and from {@link #NETWORK_TIMEOUT} if set. Immutable.
 */
public record RpcTimes(
        Duration connect,
        Duration handshake,
        Duration silence,
        Duration responseStall,
        Duration reconnectFirst,
        Duration reconnectLast) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);
    private static final Duration SILENCE_MIN = Duration.ofMillis(100);
    private static final SettingKey<Duration> CONNECT =
            SettingKey.duration("hearth.rpc.connectTimeout", TIMEOUT, TIMEOUT_MIN, "How long connecting may take.");
    private static final SettingKey<Duration> HANDSHAKE = SettingKey.duration(
            "hearth.rpc.handshakeTimeout",
            TIMEOUT,
            TIMEOUT_MIN,
            "How long the handshake of a new connection, with its authentication, may take.");
    private static final SettingKey<Duration> SILENCE = SettingKey.duration(
            "hearth.rpc.silenceTimeout",
            Duration.ofMinutes(1),
            SILENCE_MIN,
            "How long a connection may be silent until it is lost; after a third of it a keep-alive is sent."
                    + " If unset, hearth.network.timeout applies where that is set.");
    /**
     * Setting of the time after which a driver treats a silent executor as lost; the module engine declares this
     * setting.
     */
    public static final SettingKey<Duration> NETWORK_TIMEOUT = SettingKey.duration(
            "hearth.network.timeout",
            Duration.ofMinutes(2),
            Duration.ofMillis(300),
            "How long an executor may be silent until it is lost, at least three heartbeat intervals; if set, it also"
                    + " replaces the default of hearth.rpc.silenceTimeout.");

    private static final SettingKey<Duration> RESPONSE_STALL = SettingKey.duration(
            "hearth.rest.responseStallTimeout",
            Duration.ofSeconds(2),
            TIMEOUT_MIN,
            "How long an HTTP client may read nothing of its response while hearth.rest.maxResponseMemory is used up; then"
                    + " it is disconnected for the next request. Otherwise hearth.rpc.silenceTimeout applies.");
    private static final SettingKey<Duration> RECONNECT_FIRST = SettingKey.duration(
            "hearth.rpc.reconnect.wait",
            Duration.ofMillis(100),
            TIMEOUT_MIN,
            "Back-off before reconnecting; doubled with each failure.");
    private static final SettingKey<Duration> RECONNECT_LAST = SettingKey.duration(
            "hearth.rpc.reconnect.maxWait",
            Duration.ofSeconds(10),
            TIMEOUT_MIN,
            "The longest back-off before reconnecting.");
    private static final SettingKey<Duration> ASK = SettingKey.duration(
                    "hearth.rpc.askTimeout",
                    Duration.ofSeconds(30),
                    TIMEOUT_MIN,
                    "How long a driver, an executor or a submitter waits for an answer without which it cannot go on. If"
                            + " unset, hearth.network.timeout applies where that is set.")
            .withoutDefault("30 s; 2 min for questions of executors to their driver");
    static final List<SettingKey<?>> KEYS =
            List.of(ASK, CONNECT, HANDSHAKE, SILENCE, RESPONSE_STALL, RECONNECT_FIRST, RECONNECT_LAST);

    /** Timeouts and reconnect delays of a process without settings for them. */
    public static final RpcTimes DEFAULTS = read(new SettingsReader(Settings.empty()));

    public RpcTimes {
        new Problems("hearth.rpc")
                .expect(connect.toMillis() > 0, "connectTimeout", connect, "more than 0")
                .expect(handshake.toMillis() > 0, "handshakeTimeout", handshake, "more than 0")
                .expect(silence.compareTo(SILENCE_MIN) >= 0, "silenceTimeout", silence, "at least 100ms")
                .expect(responseStall.toMillis() > 0, "responseStallTimeout", responseStall, "more than 0")
                .expect(reconnectFirst.toMillis() > 0, "reconnect.wait", reconnectFirst, "more than 0")
                .expect(
                        reconnectLast.compareTo(reconnectFirst) >= 0,
                        "reconnect.maxWait",
                        reconnectLast,
                        "at least reconnect.wait = " + reconnectFirst)
                .throwIfAny();
    }

    /**
     * The time to wait for an answer according to {@code settings}; {@code usual} if they say nothing about it. Fails
     * with {@code BAD_SETTING}.
     */
    public static Duration ask(Settings settings, Duration usual) {
        SettingsReader in = new SettingsReader(settings);
        Duration time = in.find(ASK).or(() -> in.find(NETWORK_TIMEOUT)).orElse(usual);
        in.finish();
        return time;
    }

    static RpcTimes read(SettingsReader in) {
        Duration silence = in.find(SILENCE).or(() -> in.find(NETWORK_TIMEOUT)).orElseGet(() -> in.read(SILENCE));
        return new RpcTimes(
                in.read(CONNECT),
                in.read(HANDSHAKE),
                silence,
                in.read(RESPONSE_STALL),
                in.read(RECONNECT_FIRST),
                in.read(RECONNECT_LAST));
    }

    public RpcTimes withHandshake(Duration time) {
        return new RpcTimes(connect, time, silence, responseStall, reconnectFirst, reconnectLast);
    }

    public RpcTimes withResponseStall(Duration time) {
        return new RpcTimes(connect, handshake, silence, time, reconnectFirst, reconnectLast);
    }

    public RpcTimes withSilence(Duration time) {
        return new RpcTimes(connect, handshake, time, responseStall, reconnectFirst, reconnectLast);
    }
}
