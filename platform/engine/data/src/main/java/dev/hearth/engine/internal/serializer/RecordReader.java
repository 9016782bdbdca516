package dev.hearth.engine.internal.serializer;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.closure.UserStackFrames;
import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deserialises records: the counterpart of {@link RecordWriter}. Owned by one thread. Generated codecs call it through
 * JDK interfaces, because user classes do not see Hearth's classes. {@link #get} reads a reference, and {@link #accept}
 * registers a new object. {@link #apply} and {@link #getAsInt} locate the bytes of primitive fields.
 */
final class RecordReader
        implements RecordFormat.Reader, Supplier<@Nullable Object>, Consumer<Object>, IntFunction<byte[]>, IntSupplier {
    private static final String SUBJECT = "record";
    private static final RecordInput NOTHING = new RecordInput();
    private static final int RETAINED_MAX = 1 << 12; // largest table that is reused for the next record
    private static final int INITIAL_CAPACITY = 8;
    private static final Object NULL = new Object(); // stands for an object whose readResolve returned null

    private final FormSource source;
    private final UserObjectSerializer objects;
    private final TypeSerializer[] serializers =
            new TypeSerializer[TypeTag.FURTHER_CLASS]; // serializers of one-byte tags, created lazily
    private @Nullable Object[] references = new Object[INITIAL_CAPACITY];
    private int count;
    private int depth;
    private long declaredBytes; // least number of bytes that the declared elements of this record need
    private long declaredBytesMax;
    private RecordInput in = NOTHING;

    /**
     * Maps the codes that identify classes in records to serializers. A code is a built-in tag, or {@link
     * TypeTag#CLASS} plus a class number.
     */
    interface FormSource {
        /** Returns the serializer of the class that {@code code} identifies; throws if the code identifies no class. */
        TypeSerializer at(int code);
    }

    RecordReader(FormSource source, UserObjectSerializer objects) {
        this.source = source;
        this.objects = objects;
    }

    @Override
    public @Nullable Object read(RecordInput from) {
        this.in = from;
        this.declaredBytes = 0;
        this.declaredBytesMax = (long) from.limit() - from.position();
        try {
            int tag = from.readByte() & 0xFF;
            if (tag == TypeTag.NULL) {
                return null;
            }
            TypeSerializer serializer = serializer(tag);
            return serializer.isLeaf() ? serializer.read(this) : readShared(serializer);
        } catch (HearthException | CorruptRecordException known) {
            throw known;
        } catch (StackOverflowError failure) {
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    SUBJECT + ": nested too deeply for the stack of this thread (expected: stack space for "
                            + RecordWriter.DEPTH_MAX
                            + " nested objects); give threads larger stacks (-Xss)",
                    failure);
        } catch (RuntimeException failure) {
            throw failed(failure);
        } finally {
            this.in = NOTHING;
            if (count != 0 || depth != 0) {
                reset();
            }
        }
    }

    @Override
    public void skip(RecordInput from) {
        if (!EncodedRecords.skip(from)) {
            read(from);
        }
    }

    /**
     * Returns the error to report for {@code failure}. If user code threw it, such as a constructor or comparator, the
     * error names that code. Otherwise the error is a {@link CorruptRecordException}.
     */
    private static RuntimeException failed(RuntimeException failure) {
        for (StackTraceElement frame : failure.getStackTrace()) {
            if (frame.getClassName().equals(RecordReader.class.getName())) {
                break; // the remaining frames belong to callers of the reader
            }
            if (UserStackFrames.isUsers(frame.getClassName())) {
                return ErrorCode.NOT_SERIALIZABLE.failure(
                        SUBJECT + ": could not be deserialised: " + UserObjectSerializer.blame(failure), failure);
            }
        }
        CorruptRecordException damaged = new CorruptRecordException(
                SUBJECT + ": cannot be deserialised: " + failure + " (expected: the bytes of a record)");
        damaged.initCause(failure);
        return damaged;
    }

    private void reset() {
        if (references.length > RETAINED_MAX) {
            references = new Object[INITIAL_CAPACITY];
        } else {
            Arrays.fill(references, 0, count, null);
        }
        count = 0;
        depth = 0;
    }

    /**
     * Reads the value of a reference: null, an object whose bytes follow, or an object that was read before in this
     * record.
     */
    @Override
    public @Nullable Object get() {
        RecordInput from = in;
        int tag = from.readByte() & 0xFF;
        return switch (tag) {
            case TypeTag.NULL -> null;
            case TypeTag.LATIN_TEXT -> StringEncoding.readLatin(from);
            case TypeTag.INT -> from.readInt();
            case TypeTag.SHORT_INT -> (int) from.readShort();
            case TypeTag.SHORT_LONG -> (long) from.readInt();
            case TypeTag.LONG -> from.readLong();
            case TypeTag.DOUBLE -> from.readDouble();
            case TypeTag.REFERENCE -> readReference();
            default -> readObject(serializer(tag));
        };
    }

    private @Nullable Object readObject(TypeSerializer serializer) {
        if (serializer.sharing() == ReferenceTracking.NONE) {
            return serializer.read(this);
        }
        if (depth >= RecordWriter.DEPTH_MAX) {
            throw new CorruptRecordException(SUBJECT + ": nested deeper than " + RecordWriter.DEPTH_MAX
                    + " objects (expected: at most that many)");
        }
        depth++;
        @Nullable Object value = readShared(serializer);
        depth--;
        return value;
    }

    private @Nullable Object readShared(TypeSerializer serializer) {
        @Nullable Object value;
        switch (serializer.sharing()) {
            case ACYCLIC -> {
                int id = reserveId();
                value = serializer.read(this);
                resolve(id, value);
            }
            case AFTER_CONTENT -> {
                value = serializer.read(this);
                accept(value == null ? NULL : value);
            }
            default -> value = serializer.read(this);
        }
        return value;
    }

    private @Nullable Object readReference() {
        int id = in.readSize();
        Object value = id >= 0 && id < count ? references[id] : null;
        if (value == null) {
            throw new CorruptRecordException(
                    SUBJECT + ": a reference to object " + id + " (expected: one of the " + count + " read before)");
        }
        return value == NULL ? null : value;
    }

    /**
     * Reserves and returns the next id, a number by which later references in the record refer to an object. Needed for
     * an object that can only be created after some of its parts were read.
     */
    int reserveId() {
        if (count == references.length) {
            references = Arrays.copyOf(references, 2 * count);
        }
        return count++;
    }

    /** Registers a new object before its content is read, so that the content can refer to the object. */
    @Override
    public void accept(Object object) {
        resolve(reserveId(), object);
    }

    /**
     * Registers {@code object} under {@code id}, which {@link #reserveId} has reserved. Later references in the record
     * refer to the object by this id.
     */
    void resolve(int id, Object object) {
        references[id] = object;
    }

    /** Skips {@code bytes} bytes, which must exist, and returns the array that contains them. */
    @Override
    public byte[] apply(int bytes) {
        RecordInput from = in;
        from.expect(bytes);
        from.moveTo(from.position() + bytes);
        return from.array();
    }

    @Override
    public int getAsInt() {
        return in.position();
    }

    RecordInput in() {
        return in;
    }

    /**
     * Reads the number of elements that follow, each of at least {@code bytesEach} bytes. Fails if all elements
     * declared in the record so far, nested ones included, need more bytes than the record has. This check bounds the
     * memory that a corrupt record can claim.
     */
    int readCount(int bytesEach) {
        int elements = in.readSize();
        declaredBytes += (long) elements * bytesEach;
        int most = (in.limit() - in.position()) / bytesEach;
        if (elements < 0 || elements > most || declaredBytes > declaredBytesMax) {
            throw new CorruptRecordException(SUBJECT + ": " + Integer.toUnsignedString(elements)
                    + " elements (expected: at most the " + most + " that the remaining bytes can hold)");
        }
        return elements;
    }

    Object readByJava() {
        int length = readCount(1);
        RecordInput from = in;
        int start = from.position();
        from.moveTo(start + length);
        return objects.read(from.array(), start, length, SUBJECT);
    }

    private TypeSerializer serializer(int tag) {
        if (tag == TypeTag.FURTHER_CLASS) {
            int further = in.readSize();
            if (further < 0 || further > Integer.MAX_VALUE - TypeTag.FURTHER_CLASS) {
                throw new CorruptRecordException(SUBJECT + ": class number " + further + " (expected: a known one)");
            }
            return source.at(TypeTag.FURTHER_CLASS + further);
        }
        TypeSerializer known = serializers[tag];
        if (known == null) {
            known = source.at(tag);
            serializers[tag] = known;
        }
        return known;
    }
}
