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
 * Writes records for one thread. What the generated codecs need of it they call by interfaces of the JDK, as the application's
 * classes see no others: {@link #accept} writes what a field refers to, {@link #apply} makes room, {@link #getAsInt} says where.
 */
final class RecordWriter implements RecordFormat.Writer, Consumer<@Nullable Object>, IntFunction<byte[]>, IntSupplier {
    /** Objects within objects; as many as Java's serialisation is let read. */
    static final int DEPTH_MAX = 1_000;

    private static final String SUBJECT = "record";
    private static final RecordOutput NOWHERE = new RecordOutput(0);

    private final FormsByType forms;
    private final UserObjectSerializer objects;
    private final int bytesMax; // of what records are written to
    private final ReferenceTable seen = new ReferenceTable();
    private final @Nullable Object[] open = new Object[DEPTH_MAX + 1]; // closed forms being written, outermost first
    private int opened;
    private int depth;
    private RecordOutput out = NOWHERE;

    private Class<?>[] types = new Class<?>[16]; // by identity: what this thread met
    private TypeSerializer[] formsOfTypes = new TypeSerializer[16];
    private int known;

    /** Knows the forms by classes. */
    @FunctionalInterface
    interface FormsByType {
        /** Null when objects of that class cannot travel. */
        @Nullable
        TypeSerializer of(Class<?> type);
    }

    RecordWriter(FormsByType forms, UserObjectSerializer objects, int bytesMax) {
        this.forms = forms;
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
            forget();
            to.writeByte(TypeTag.JAVA);
            JavaTypeSerializer.writeContent(objects.write(record, SUBJECT), to);
            written = true;
        } catch (Unserializable failure) {
            throw UserObjectSerializer.unserializable(record, SUBJECT, failure.culprit);
        } catch (StackOverflowError failure) {
            throw tooDeep(failure);
        } catch (HearthException refused) {
            throw refused;
        } catch (RuntimeException failure) { // a collection of the user's that changed meanwhile, say
            throw ErrorCode.NOT_SERIALIZABLE.failure(
                    SUBJECT + ": could not be serialised: " + UserObjectSerializer.blame(failure), failure);
        } finally {
            if (!written) {
                to.moveTo(start);
            }
            this.out = NOWHERE;
            if (depth != 0) {
                forget();
            }
        }
    }

    private void writeRoot(@Nullable Object record) {
        if (record == null) {
            out.writeByte(TypeTag.NULL);
            return;
        }
        Class<?> type = record.getClass();
        TypeSerializer form = form(type);
        if (form.sharing() == ReferenceTracking.NONE && form.code() < TypeTag.CLASS) {
            accept(record);
            return;
        }
        if (form.isLeaf()) {
            writeCode(form.code());
            form.write(record, this);
            return;
        }
        depth = 1; // so that all is forgotten afterwards
        seen.add(record);
        writeShared(record, form);
    }

    private void forget() {
        seen.clear();
        while (opened > 0) {
            open[--opened] = null;
        }
        depth = 0;
    }

    /** Writes what something of this record refers to. */
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
            writeObject(value, form(type));
        }
    }

    private void writeObject(Object value, TypeSerializer form) {
        if (form.sharing() == ReferenceTracking.NONE) {
            writeCode(form.code());
            form.write(value, this);
            return;
        }
        int id = seen.add(value);
        if (id == ReferenceTable.NEW) {
            if (depth >= DEPTH_MAX) {
                throw tooDeep(null);
            }
            depth++;
            writeShared(value, form);
            depth--;
        } else if (id == ReferenceTable.FOREIGN) {
            throw new SharedWithJava();
        } else {
            writeReference(value, id);
        }
    }

    private void writeShared(Object value, TypeSerializer form) {
        writeCode(form.code());
        if (form.sharing() == ReferenceTracking.CLOSED) {
            open[opened++] = value;
            form.write(value, this);
            open[--opened] = null;
        } else {
            form.write(value, this);
        }
    }

    /** Writes what must be there before {@code owner} can be made, and so cannot refer to it. */
    void writeBefore(Object owner, @Nullable Object part) {
        open[opened++] = owner;
        accept(part);
        open[--opened] = null;
    }

    private void writeReference(Object value, int id) {
        for (int i = 0; i < opened; i++) {
            if (open[i] == value) {
                throw ErrorCode.NOT_SERIALIZABLE.failure(
                        SUBJECT + ": a " + value.getClass().getName()
                                + " that holds itself (expected: records and fixed collections hold what was made before them);"
                                + " let a class with fields close the circle");
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

    /** Makes room for so many bytes and moves behind it. The array it lies in. */
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

    /** Has Java's serialisation write it; whatever is in there must not be elsewhere in the record, else all of it goes that way. */
    void writeByJava(Object value) {
        boolean[] shared = {false};
        Bytes bytes = objects.write(value, SUBJECT, met -> {
            if (met != value && !isValue(met)) {
                shared[0] |= !seen.addForeign(met);
            }
        });
        if (shared[0]) {
            throw new SharedWithJava();
        }
        JavaTypeSerializer.writeContent(bytes, out);
    }

    /** Whether it is written again wherever it appears. */
    private static boolean isValue(Object met) {
        TypeSerializer form = BuiltInSerializers.of(met.getClass());
        return met instanceof Enum
                || met instanceof Class
                || (form != null && form.sharing() == ReferenceTracking.NONE);
    }

    private TypeSerializer form(Class<?> type) {
        int mask = types.length - 1;
        int slot = type.hashCode() & mask;
        while (true) {
            Class<?> at = types[slot];
            if (at == type) {
                return formsOfTypes[slot];
            }
            if (at == null) {
                return learn(type);
            }
            slot = (slot + 1) & mask;
        }
    }

    private TypeSerializer learn(Class<?> type) {
        TypeSerializer form = forms.of(type);
        if (form == null) {
            throw new Unserializable(type.getName());
        }
        if (2 * ++known > types.length) {
            Class<?>[] before = types;
            TypeSerializer[] formsBefore = formsOfTypes;
            types = new Class<?>[2 * before.length];
            formsOfTypes = new TypeSerializer[2 * before.length];
            for (int i = 0; i < before.length; i++) {
                if (before[i] != null) {
                    place(before[i], formsBefore[i]);
                }
            }
        }
        place(type, form);
        return form;
    }

    private void place(Class<?> type, TypeSerializer form) {
        int slot = type.hashCode() & (types.length - 1);
        while (types[slot] != null) {
            slot = (slot + 1) & (types.length - 1);
        }
        types[slot] = type;
        formsOfTypes[slot] = form;
    }

    private static HearthException tooDeep(@Nullable StackOverflowError failure) {
        String message = SUBJECT + ": nested too deep to be written (expected: at most " + DEPTH_MAX
                + " objects within each other); keep long chains in a list or an array";
        return failure == null
                ? ErrorCode.NOT_SERIALIZABLE.failure(message)
                : ErrorCode.NOT_SERIALIZABLE.failure(message, failure);
    }

    /** What was written by Java's serialisation and what was not have something in common. */
    private static final class SharedWithJava extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SharedWithJava() {
            super("shared with what Java writes", null, false, false);
        }
    }

    /** A class that cannot travel was met; where it stands is looked for from the outside. */
    private static final class Unserializable extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String culprit;

        Unserializable(String culprit) {
            super(culprit, null, false, false);
            this.culprit = culprit;
        }
    }
}
