package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The messages of one protocol as bytes: a message number, then the components of its record up to the end of the frame.
 * <p>Held by the endpoints and refs that use it, and gone with them. Immutable; any thread may use it.
 */
public final class ProtocolCodec {
    private final Protocol protocol;
    private final List<RecordCodec> records;
    private final Map<Integer, RecordCodec> byNumber = new LinkedHashMap<>();
    private final Map<Class<?>, Numbered> byType = new LinkedHashMap<>();

    /** Derives the codecs; refuses records with components that no codec can be derived for. Compiles in the caller. */
    public ProtocolCodec(Protocol protocol) {
        this(protocol, Runnable::run);
    }

    /** As above, but has records that turn out to be used a lot compiled by {@code compilations}; it takes milliseconds. */
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

    /** Refuses a record that is not of this protocol. */
    public void require(Record message) {
        numbered(message);
    }

    /**
     * Writes a message; fails with {@code MESSAGE_TOO_LARGE}, or {@code MALFORMED_MESSAGE} when something in it has no
     * written form. Refuses records of other protocols.
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

    /** Reads the message that fills the rest of {@code in}; whatever else stands there fails with {@code MALFORMED_MESSAGE}. */
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

    /** Makes the compiled forms now that are else made of records that turn out to be used a lot. */
    void compile() {
        records.forEach(RecordCodec::compile);
    }

    /** Never compiles; to compare with. */
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
