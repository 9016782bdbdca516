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
 * Reads records for one thread: the counterpart of {@link RecordWriter}. To generated codecs {@link #get} reads what a field
 * refers to, {@link #accept} makes a new object known, {@link #apply} and {@link #getAsInt} say where fields of fixed width lie.
 */
final class RecordReader
        implements RecordFormat.Reader, Supplier<@Nullable Object>, Consumer<Object>, IntFunction<byte[]>, IntSupplier {
    private static final String SUBJECT = "record";
    private static final RecordInput NOTHING = new RecordInput();
    private static final int SEEN_KEPT = 1 << 12; // from one record to the next
    private static final int SEEN_FIRST = 8;
    private static final Object NULL = new Object(); // for what a readResolve of the user's made null

    private final FormSource source;
    private final UserObjectSerializer objects;
    private final TypeSerializer[] forms =
            new TypeSerializer[TypeTag.FURTHER_CLASS]; // those of one byte, once they were met
    private @Nullable Object[] seen = new Object[SEEN_FIRST];
    private int count;
    private int depth;
    private long announced; // bytes that elements of this record take at least
    private long announcedMax;
    private RecordInput in = NOTHING;

    /** Knows the forms by the codes that the bytes use. */
    interface FormSource {
        /** Throws when the bytes cannot mean it. */
        TypeSerializer at(int code);
    }

    RecordReader(FormSource source, UserObjectSerializer objects) {
        this.source = source;
        this.objects = objects;
    }

    @Override
    public @Nullable Object read(RecordInput from) {
        this.in = from;
        this.announced = 0;
        this.announcedMax = (long) from.limit() - from.position();
        try {
            int tag = from.readByte() & 0xFF;
            if (tag == TypeTag.NULL) {
                return null;
            }
            TypeSerializer form = form(tag);
            return form.isLeaf() ? form.read(this) : readShared(form);
        } catch (HearthException | CorruptRecordException known) {
            throw known;
        } catch (StackOverflowError failure) {
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    SUBJECT + ": nested too deep to be read by a thread with so small a stack (expected: "
                            + RecordWriter.DEPTH_MAX
                            + " objects within each other fit); give threads larger stacks (-Xss)",
                    failure);
        } catch (RuntimeException failure) {
            throw failed(failure);
        } finally {
            this.in = NOTHING;
            if (count != 0 || depth != 0) {
                forget();
            }
        }
    }

    @Override
    public void skip(RecordInput from) {
        if (!EncodedRecords.skip(from)) {
            read(from);
        }
    }

    /** The user's own code threw, such as a constructor or a comparator; or the bytes say what cannot be. */
    private static RuntimeException failed(RuntimeException failure) {
        for (StackTraceElement frame : failure.getStackTrace()) {
            if (frame.getClassName().equals(RecordReader.class.getName())) {
                break; // from here on it is who called us
            }
            if (UserStackFrames.isUsers(frame.getClassName())) {
                return ErrorCode.NOT_SERIALIZABLE.failure(
                        SUBJECT + ": could not be deserialised: " + UserObjectSerializer.blame(failure), failure);
            }
        }
        CorruptRecordException damaged = new CorruptRecordException(
                SUBJECT + ": cannot be read: " + failure + " (expected: bytes as they were written)");
        damaged.initCause(failure);
        return damaged;
    }

    private void forget() {
        if (seen.length > SEEN_KEPT) {
            seen = new Object[SEEN_FIRST];
        } else {
            Arrays.fill(seen, 0, count, null);
        }
        count = 0;
        depth = 0;
    }

    /** Reads what something of this record refers to. */
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
            default -> readObject(form(tag));
        };
    }

    private @Nullable Object readObject(TypeSerializer form) {
        if (form.sharing() == ReferenceTracking.NONE) {
            return form.read(this);
        }
        if (depth >= RecordWriter.DEPTH_MAX) {
            throw new CorruptRecordException(SUBJECT + ": nested deeper than " + RecordWriter.DEPTH_MAX
                    + " objects (expected: at most so many)");
        }
        depth++;
        @Nullable Object value = readShared(form);
        depth--;
        return value;
    }

    private @Nullable Object readShared(TypeSerializer form) {
        @Nullable Object value;
        switch (form.sharing()) {
            case CLOSED -> {
                int id = reserve();
                value = form.read(this);
                fill(id, value);
            }
            case AFTERWARDS -> {
                value = form.read(this);
                accept(value == null ? NULL : value);
            }
            default -> value = form.read(this);
        }
        return value;
    }

    private @Nullable Object readReference() {
        int id = in.readSize();
        Object value = id >= 0 && id < count ? seen[id] : null;
        if (value == null) {
            throw new CorruptRecordException(
                    SUBJECT + ": a reference to object " + id + " (expected: one of the " + count + " read before)");
        }
        return value == NULL ? null : value;
    }

    /** A number for what cannot be made yet. */
    int reserve() {
        if (count == seen.length) {
            seen = Arrays.copyOf(seen, 2 * count);
        }
        return count++;
    }

    /** Makes an object known before what is in it is read. */
    @Override
    public void accept(Object fresh) {
        fill(reserve(), fresh);
    }

    /** Makes known what a number was reserved for. */
    void fill(int id, Object fresh) {
        seen[id] = fresh;
    }

    /** Moves over so many bytes, which are there. The array they lie in. */
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
     * How many things follow, each of which takes at least so many bytes. No byte is of two things, so that all that is announced
     * in a record, things within things too, fits into the bytes there were at its start.
     */
    int readCount(int bytesEach) {
        int things = in.readSize();
        announced += (long) things * bytesEach;
        int most = (in.limit() - in.position()) / bytesEach;
        if (things < 0 || things > most || announced > announcedMax) {
            throw new CorruptRecordException(SUBJECT + ": " + Integer.toUnsignedString(things)
                    + " elements (expected: at most " + most + ", no more than the bytes left can hold)");
        }
        return things;
    }

    Object readByJava() {
        int length = readCount(1);
        RecordInput from = in;
        int start = from.position();
        from.moveTo(start + length);
        return objects.read(from.array(), start, length, SUBJECT);
    }

    private TypeSerializer form(int tag) {
        if (tag == TypeTag.FURTHER_CLASS) {
            int further = in.readSize();
            if (further < 0 || further > Integer.MAX_VALUE - TypeTag.FURTHER_CLASS) {
                throw new CorruptRecordException(SUBJECT + ": class number " + further + " (expected: one in use)");
            }
            return source.at(TypeTag.FURTHER_CLASS + further);
        }
        TypeSerializer known = forms[tag];
        if (known == null) {
            known = source.at(tag);
            forms[tag] = known;
        }
        return known;
    }
}
