package dev.hearth.engine.internal.serializer;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serialises records. Owned by one thread. Generated codecs call it through JDK interfaces, because user classes do not
 * see Hearth's classes. {@link #accept} writes a reference, {@link #apply} reserves bytes, and {@link #getAsInt}
 * returns the position.
 */
final class RecordWriter implements RecordFormat.Writer, Consumer<@Nullable Object>, IntFunction<byte[]>, IntSupplier {
    /** Upper bound on the nesting of objects in one record. The filter of Java serialisation has the same bound. */
    static final int DEPTH_MAX = 1_000;

    private static final String SUBJECT = "record";
    private static final RecordOutput NOWHERE = new RecordOutput(0);

    private final SerializersByType serializers;
    private final UserObjectSerializer objects;
    private final int bytesMax; // upper bound on the bytes of one record
    private final ReferenceTable references = new ReferenceTable();
    private final @Nullable Object[] ancestors =
            new Object[DEPTH_MAX + 1]; // objects being written that must not contain themselves, outermost first
    private int ancestorCount;
    private int depth;
    private RecordOutput out = NOWHERE;

    private Class<?>[] types = new Class<?>[16]; // cache of serializers: an identity hash table by class
    private TypeSerializer[] serializersOfTypes = new TypeSerializer[16];
    private int known;

    /** Finds the serializer with which a {@link RecordWriter} writes the objects of a class. */
    @FunctionalInterface
    interface SerializersByType {
        /** Returns the serializer of a class; null if its objects are not serialisable. */
        @Nullable
        TypeSerializer of(Class<?> type);
    }

    RecordWriter(SerializersByType serializers, UserObjectSerializer objects, int bytesMax) {
        this.serializers = serializers;
        this.objects = objects;
        this.bytesMax = bytesMax;
    }

    @Override
    public RecordOutput output(int capacity) {
        return new RecordOutput(capacity, bytesMax);
    }

    @Override
    public void write(@Nullable Object record, RecordOutput to) {
        int start = to.position();
        boolean written = false;
        this.out = to;
        try {
            writeRoot(record);
            written = true;
        } catch (SharedWithJava shared) {
            to.moveTo(start);
            reset();
            to.writeByte(TypeTag.JAVA);
            JavaTypeSerializer.writeContent(objects.write(record, SUBJECT), to);
            written = true;
        } catch (Unserializable failure) {
            throw UserObjectSerializer.unserializable(record, SUBJECT, failure.culprit);
        } catch (StackOverflowError failure) {
            throw tooDeep(failure);
        } catch (HearthException refused) {
            throw refused;
        } catch (RuntimeException failure) { // for example, the user changed a collection meanwhile
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    SUBJECT + ": could not be serialised: " + UserObjectSerializer.blame(failure), failure);
        } finally {
            if (!written) {
                to.moveTo(start);
            }
            this.out = NOWHERE;
            if (depth != 0) {
                reset();
            }
        }
    }

    private void writeRoot(@Nullable Object record) {
        if (record == null) {
            out.writeByte(TypeTag.NULL);
            return;
        }
        Class<?> type = record.getClass();
        TypeSerializer serializer = serializer(type);
        if (serializer.sharing() == ReferenceTracking.NONE && serializer.code() < TypeTag.CLASS) {
            accept(record);
            return;
        }
        if (serializer.isLeaf()) {
            writeCode(serializer.code());
            serializer.write(record, this);
            return;
        }
        depth = 1; // makes the caller reset the state afterwards
        references.add(record);
        writeShared(record, serializer);
    }

    private void reset() {
        references.clear();
        while (ancestorCount > 0) {
            ancestors[--ancestorCount] = null;
        }
        depth = 0;
    }

    /**
     * Writes the value of a reference: null, a new object, or the id of an object that was written before in this
     * record.
     */
    @Override
    public void accept(@Nullable Object value) {
        RecordOutput to = out;
        if (value == null) {
            to.writeByte(TypeTag.NULL);
            return;
        }
        Class<?> type = value.getClass();
        if (type == String.class) {
            StringEncoding.write((String) value, to);
        } else if (type == Integer.class) {
            ValueSerializers.writeInt((Integer) value, to);
        } else if (type == Long.class) {
            ValueSerializers.writeLong((Long) value, to);
        } else if (type == Double.class) {
            to.writeTagged(TypeTag.DOUBLE, Double.doubleToRawLongBits((Double) value));
        } else if (type == Boolean.class) {
            to.writeByte((Boolean) value ? TypeTag.TRUE : TypeTag.FALSE);
        } else {
            writeObject(value, serializer(type));
        }
    }

    private void writeObject(Object value, TypeSerializer serializer) {
        if (serializer.sharing() == ReferenceTracking.NONE) {
            writeCode(serializer.code());
            serializer.write(value, this);
            return;
        }
        int id = references.add(value);
        if (id == ReferenceTable.NEW) {
            if (depth >= DEPTH_MAX) {
                throw tooDeep(null);
            }
            depth++;
            writeShared(value, serializer);
            depth--;
        } else if (id == ReferenceTable.FOREIGN) {
            throw new SharedWithJava();
        } else {
            writeReference(value, id);
        }
    }

    private void writeShared(Object value, TypeSerializer serializer) {
        writeCode(serializer.code());
        if (serializer.sharing() == ReferenceTracking.ACYCLIC) {
            ancestors[ancestorCount++] = value;
            serializer.write(value, this);
            ancestors[--ancestorCount] = null;
        } else {
            serializer.write(value, this);
        }
    }

    /**
     * Writes {@code part}, a part of {@code owner} that the reader needs before it can create {@code owner}. Fails if
     * {@code part} refers to {@code owner}.
     */
    void writeBefore(Object owner, @Nullable Object part) {
        ancestors[ancestorCount++] = owner;
        accept(part);
        ancestors[--ancestorCount] = null;
    }

    private void writeReference(Object value, int id) {
        for (int i = 0; i < ancestorCount; i++) {
            if (ancestors[i] == value) {
                throw ErrorCode.NOT_SERIALIZABLE.failure(
                        SUBJECT + ": a " + value.getClass().getName()
                                + " that contains itself (expected: records and immutable collections contain only older"
                                + " objects); break the cycle with a class that has mutable fields");
            }
        }
        out.writeByte(TypeTag.REFERENCE);
        out.writeSize(id);
    }

    private void writeCode(int code) {
        if (code < TypeTag.FURTHER_CLASS) {
            out.writeByte(code);
        } else {
            out.writeByte(TypeTag.FURTHER_CLASS);
            out.writeSize(code - TypeTag.FURTHER_CLASS);
        }
    }

    /** Reserves {@code bytes} bytes, moves past them, and returns the array that contains them. */
    @Override
    public byte[] apply(int bytes) {
        RecordOutput to = out;
        to.require(bytes);
        to.moveTo(to.position() + bytes);
        return to.array();
    }

    @Override
    public int getAsInt() {
        return out.position();
    }

    RecordOutput out() {
        return out;
    }

    /**
     * Writes an object by Java serialisation. Objects inside it must not occur elsewhere in the record, because the two
     * formats cannot refer to each other's objects. If one does, the whole record is written by Java serialisation.
     */
    void writeByJava(Object value) {
        boolean[] shared = {false};
        Bytes bytes = objects.write(value, SUBJECT, part -> {
            if (part != value && !isValue(part)) {
                shared[0] |= !references.addForeign(part);
            }
        });
        if (shared[0]) {
            throw new SharedWithJava();
        }
        JavaTypeSerializer.writeContent(bytes, out);
    }

    /** Whether an object is a value, which is written again at each occurrence instead of being referred to. */
    private static boolean isValue(Object part) {
        TypeSerializer serializer = BuiltInSerializers.of(part.getClass());
        return part instanceof Enum
                || part instanceof Class
                || (serializer != null && serializer.sharing() == ReferenceTracking.NONE);
    }

    private TypeSerializer serializer(Class<?> type) {
        int mask = types.length - 1;
        int slot = type.hashCode() & mask;
        while (true) {
            Class<?> at = types[slot];
            if (at == type) {
                return serializersOfTypes[slot];
            }
            if (at == null) {
                return lookUp(type);
            }
            slot = (slot + 1) & mask;
        }
    }

    private TypeSerializer lookUp(Class<?> type) {
        TypeSerializer serializer = serializers.of(type);
        if (serializer == null) {
            throw new Unserializable(type.getName());
        }
        if (2 * ++known > types.length) {
            Class<?>[] oldTypes = types;
            TypeSerializer[] oldSerializers = serializersOfTypes;
            types = new Class<?>[2 * oldTypes.length];
            serializersOfTypes = new TypeSerializer[2 * oldTypes.length];
            for (int i = 0; i < oldTypes.length; i++) {
                if (oldTypes[i] != null) {
                    place(oldTypes[i], oldSerializers[i]);
                }
            }
        }
        place(type, serializer);
        return serializer;
    }

    private void place(Class<?> type, TypeSerializer serializer) {
        int slot = type.hashCode() & (types.length - 1);
        while (types[slot] != null) {
            slot = (slot + 1) & (types.length - 1);
        }
        types[slot] = type;
        serializersOfTypes[slot] = serializer;
    }

    private static HearthException tooDeep(@Nullable StackOverflowError failure) {
        String message = SUBJECT + ": nested too deeply to be serialised (expected: at most " + DEPTH_MAX
                + " nested objects); keep long chains in a list or an array";
        return failure == null
                ? ErrorCode.NOT_SERIALIZABLE.failure(message)
                : ErrorCode.NOT_SERIALIZABLE.failure(message, failure);
    }

    /**
     * Thrown when an object occurs both inside and outside a part of a record that Java serialisation has written. The
     * whole record is then written by Java serialisation.
     */
    private static final class SharedWithJava extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SharedWithJava() {
            super("shared with what Java writes", null, false, false);
        }
    }

    /**
     * Thrown for a class that is not serialisable. The caller then searches which fields lead to it, for the error
     * message.
     */
    private static final class Unserializable extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String culprit;

        Unserializable(String culprit) {
            super(culprit, null, false, false);
            this.culprit = culprit;
        }
    }
}
