package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ReplicationProtocol;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireInput;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.shuffle.SegmentProtocol;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Checks that every message recorded by earlier releases still decodes. To add a component, add the line that the
 * failure prints, and add to the text of older lines the value that a missing component decodes to. Bytes and all
 * other text must not change, or installed peers break.
 */
class RecordedMessagesTest {
    private static final int MESSAGE_BYTES_MAX = 1024 * 1024;
    private static final Map<String, Protocol> PROTOCOLS = new TreeMap<>(Stream.of(
                    DriverProtocol.PROTOCOL,
                    ExecutorProtocol.PROTOCOL,
                    SegmentProtocol.PROTOCOL,
                    ReplicationProtocol.PROTOCOL,
                    MasterProtocol.PROTOCOL,
                    WorkerProtocol.PROTOCOL,
                    ApplicationProtocol.PROTOCOL,
                    SubmitterProtocol.PROTOCOL,
                    hidden("dev.hearth.remoteshell.internal.ShellProtocol"))
            .collect(Collectors.toMap(Protocol::name, protocol -> protocol)));

    @Test
    void readsWhatEveryReleaseWrote() throws IOException {
        List<Executable> reads = new ArrayList<>();
        for (Line line : lines()) {
            reads.add(() -> assertEquals(line.text(), text(decode(line)), line.protocol()));
        }
        assertTrue(reads.size() > PROTOCOLS.size(), "hardly anything is recorded");
        assertAll(reads);
    }

    @Test
    void hasRecordedEveryMessageAsItIsWrittenNow() throws IOException {
        List<Line> recorded = lines();
        List<String> missing = new ArrayList<>();
        for (Protocol protocol : PROTOCOLS.values()) {
            for (Class<? extends Record> type : protocol.byNumber().values()) {
                Record sample = SampleMessages.sample(type);
                Line line = new Line(protocol.name(), hex(protocol, sample), text(sample));
                assertEquals(sample, decode(line));
                if (!recorded.contains(line)) {
                    missing.add(line.toString());
                }
            }
        }
        assertEquals("", String.join("\n", missing), "to be added to recorded/messages.txt");
    }

    /** The text of a value with all its components, as records without secrets print them. */
    private static String text(Object value) {
        if (value instanceof Record message) {
            return message.getClass().getSimpleName()
                    + Stream.of(message.getClass().getRecordComponents())
                            .map(component -> component.getName() + "=" + text(component(message, component)))
                            .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(RecordedMessagesTest::text).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return value instanceof Optional<?> some && some.isPresent()
                ? "Optional[" + text(some.get()) + "]"
                : String.valueOf(value);
    }

    private static Object component(Record message, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(message);
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException(message.getClass() + ": cannot be read", hidden);
        }
    }

    /** The protocol of a module that does not export it. */
    private static Protocol hidden(String holder) {
        try {
            Field field = Class.forName(holder).getDeclaredField("PROTOCOL");
            field.setAccessible(true);
            return (Protocol) field.get(null);
        } catch (ReflectiveOperationException gone) {
            throw new IllegalStateException(holder + ": no PROTOCOL there any more", gone);
        }
    }

    private static Record decode(Line line) {
        Protocol protocol = PROTOCOLS.get(line.protocol());
        assertNotNull(protocol, line.protocol());
        byte[] bytes = HexFormat.of().parseHex(line.bytes());
        return new ProtocolCodec(protocol).decode(new WireInput(bytes, 0, bytes.length));
    }

    private static String hex(Protocol protocol, Record message) {
        WireOutput out = new WireOutput(MESSAGE_BYTES_MAX);
        new ProtocolCodec(protocol).encode(message, out);
        return HexFormat.of().formatHex(out.array(), 0, out.size());
    }

    private static List<Line> lines() throws IOException {
        try (InputStream in = RecordedMessagesTest.class.getResourceAsStream("/recorded/messages.txt")) {
            assertNotNull(in, "messages.txt");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Line::parse)
                    .toList();
        }
    }

    /** One recorded message: its protocol, its bytes, and the text of the decoded value. */
    private record Line(String protocol, String bytes, String text) {
        static Line parse(String line) {
            String[] parts = line.split(" ", 3);
            return new Line(parts[0], parts[1], parts[2]);
        }

        @Override
        public String toString() {
            return protocol + " " + bytes + " " + text;
        }
    }
}
