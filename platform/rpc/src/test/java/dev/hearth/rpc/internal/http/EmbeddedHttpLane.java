package dev.hearth.rpc.internal.http;

import dev.hearth.rpc.internal.connect.ConnectionLimiter;
import dev.hearth.spi.rpc.HttpTrust;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.MockTicker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A lane without sockets or threads: embedded connections, handlers that run on request, and virtual time. */
final class EmbeddedHttpLane implements AutoCloseable {
    private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00.5Z");
    static final Secret TOKEN = Secret.of("a-token-that-nobody-guesses");
    static final int RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
    private static final int BODY_BYTES_MAX = 1024 * 1024;

    final HttpWhiteboard whiteboard = new HttpWhiteboard();
    final HttpLane lane;
    final MockTicker time = io.netty.util.concurrent.Ticker.newMockTicker();
    private final Deque<Runnable> work = new ArrayDeque<>();
    private final AtomicLong ids = new AtomicLong();
    private final Deque<EmbeddedChannel> channels = new ArrayDeque<>();

    EmbeddedHttpLane(RpcSecurity security) {
        this(security, "127.0.0.1");
    }

    EmbeddedHttpLane(RpcSecurity security, String host) {
        this(security, host, HttpTrust.NONE);
    }

    EmbeddedHttpLane(RpcSecurity security, String host, HttpTrust trust) {
        Ticker clock = new Ticker() {
            @Override
            public long nanos() {
                return time.nanoTime();
            }

            @Override
            public Instant wall() {
                return Instant.EPOCH.plusNanos(time.nanoTime());
            }
        };
        lane = new HttpLane(
                new HttpLaneSettings("master", "1.2.3", Optional.of(SINCE), settings(security, host, trust)),
                whiteboard,
                ids::incrementAndGet,
                new ConnectionLimiter(RpcLimits.DEFAULTS),
                new HandlerPool(work::add, () -> {}, clock),
                clock);
    }

    static RpcSettings settings(RpcSecurity security, String host, HttpTrust trust) {
        return new RpcSettings(
                Optional.of(new RpcSettings.Listen(host, 0, "front.example", 0)),
                security,
                RpcLimits.DEFAULTS.withHttpBytes(BODY_BYTES_MAX, RESPONSE_BYTES_MAX),
                RpcTimes.DEFAULTS.withHandshake(Duration.ofSeconds(10)).withResponseStall(Duration.ofMillis(300)),
                trust);
    }

    static RpcSecurity withToken(boolean anonymous) {
        return new RpcSecurity(Optional.empty(), false, false, Optional.empty(), Optional.of(TOKEN), anonymous);
    }

    EmbeddedChannel connect() {
        return connect(false);
    }

    EmbeddedChannel connect(boolean secure) {
        EmbeddedChannel channel = EmbeddedChannel.builder().ticker(time).build();
        lane.accepted(channel, secure, "plain", "10.0.0.1:5");
        channels.add(channel);
        return channel;
    }

    /** Sends text on a connection, runs all tasks, and returns the output. */
    String say(EmbeddedChannel channel, String text) {
        if (channel.isOpen()) {
            channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
        }
        return settle(channel);
    }

    /** Sends one request on a new connection. */
    String once(String text) {
        return say(connect(), text);
    }

    /** {@code GET} as a browser on this machine sends it, with additional header lines. */
    String get(String target, String... headers) {
        return once(request("GET", target, headers));
    }

    static String request(String method, String target, String... headers) {
        StringBuilder text = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost:1\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    String settle(EmbeddedChannel channel) {
        StringBuilder output = new StringBuilder();
        int before;
        do {
            before = output.length();
            channel.runPendingTasks();
            while (!work.isEmpty()) {
                work.poll().run();
            }
            channel.runPendingTasks();
            output.append(output(channel));
        } while (output.length() > before || !work.isEmpty());
        return output.toString();
    }

    /** Advances the time and runs all timers and tasks. */
    String pass(EmbeddedChannel channel, Duration some) {
        time.advance(some.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        return settle(channel);
    }

    /** Tasks that wait for a thread of the pool. */
    Deque<Runnable> work() {
        return work;
    }

    /** The output as text, one character per byte. */
    static String output(EmbeddedChannel channel) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            for (Object next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
                if (next instanceof ByteBuf buffer) {
                    buffer.readBytes(bytes, buffer.readableBytes());
                } else if (next instanceof DefaultFileRegion region) {
                    while (region.transferred() < region.count()) {
                        region.transferTo(Channels.newChannel(bytes), region.transferred());
                    }
                } else {
                    throw new AssertionError("written: " + next);
                }
                ReferenceCountUtil.release(next);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    static int status(String answer) {
        return answer.startsWith("HTTP/1.") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }

    /** The value of a response header, by case-insensitive name; empty if absent. */
    static Optional<String> header(String answer, String name) {
        return answer.lines()
                .skip(1)
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Override
    public void close() {
        lane.close();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }
}
