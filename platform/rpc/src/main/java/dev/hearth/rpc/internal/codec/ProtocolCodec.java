package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Codec of all messages of one protocol. A message is a Java record; it is encoded as its number in the protocol,
 * followed by the record components.
 *
 * <p>Endpoints and endpoint references hold it, so that it is garbage collected with them. Immutable and thread-safe.
 */
public final class ProtocolCodec {
    private final Protocol protocol;
    private final List<RecordCodec> records;
    private final Map<Integer, RecordCodec> byNumber = new LinkedHashMap<>();
    private final Map<Class<?>, Numbered> byType = new LinkedHashMap<>();

    /**
     * Creates the codec of a protocol; refuses records with components of unsupported types. Serializers of frequently
     * used records are compiled on the thread that uses them.
     */
    public ProtocolCodec(Protocol protocol) {
        this(protocol, Runnable::run);
    }

    /**
     * Creates the codec from the components of the message records. {@code compilations} executes the compilation of
     * serializers for frequently used records, each of which takes milliseconds.
     */
    public ProtocolCodec(Protocol protocol, Executor compilations) {
        this.protocol = protocol;
        CodecCompiler compiler = new CodecCompiler(protocol.access(), compilations);
        protocol.byNumber().forEach((number, type) -> {
            RecordCodec codec = compiler.compile(type);
            byNumber.put(number, codec);
            byType.put(type, new Numbered(number, codec));
        });
        records = compiler.records();
    }

    /** Refuses a record that is not a message of this protocol. */
    public void require(Record message) {
        numbered(message);
    }

    /**
     * Encodes a message. Fails with {@code MESSAGE_TOO_LARGE}, or with {@code MALFORMED_MESSAGE} if a value cannot be
     * encoded. Refuses records of other protocols.
     */
    public void encode(Record message, WireOutput out) {
        Numbered numbered = numbered(message);
        try {
            out.putCount(numbered.number);
            numbered.codec.writeComponents(out, message);
        } catch (WireFault fault) {
            throw fault.failure(protocol + ", " + message.getClass().getSimpleName());
        }
    }

    /**
     * Decodes the message that fills the rest of {@code in}. Fails with {@code MALFORMED_MESSAGE} if these bytes are
     * not such a message.
     */
    public Record decode(WireInput in) {
        try {
            int number = in.takeCount();
            RecordCodec codec = byNumber.get(number);
            if (codec == null) {
                throw ErrorCode.MALFORMED_MESSAGE.failure(protocol + ": message number " + number
                        + " (expected: one of " + describe() + "); is the other side newer?");
            }
            return (Record) codec.readComponents(in);
        } catch (WireFault fault) {
            throw fault.failure(protocol.toString());
        }
    }

    /** Compiles the serializers of all records now, instead of after frequent use. */
    void compile() {
        records.forEach(RecordCodec::compile);
    }

    /**
     * Prevents the compilation of all serializers of this protocol. Tests use it to compare them with compiled ones.
     */
    void stayGeneric() {
        records.forEach(RecordCodec::stayGeneric);
    }

    private Numbered numbered(Record message) {
        Numbered numbered = byType.get(message.getClass());
        if (numbered == null) {
            throw new IllegalArgumentException(
                    protocol + ": " + message.getClass().getName() + " (expected: one of " + describe() + ")");
        }
        return numbered;
    }

    private String describe() {
        StringBuilder text = new StringBuilder("[");
        protocol.byNumber()
                .forEach((number, type) -> text.append(text.length() > 1 ? ", " : "")
                        .append(type.getSimpleName())
                        .append(' ')
                        .append(number));
        return text.append(']').toString();
    }

    private record Numbered(int number, RecordCodec codec) {}
}
