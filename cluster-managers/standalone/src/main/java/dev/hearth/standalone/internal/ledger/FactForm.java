package dev.hearth.standalone.internal.ledger;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Binary form of facts: the number of the record, and its components. Each record, also a nested one, begins with the
 * number of its components, so that a fact of an older release is read with empty values for those that it lacks. A fact
 * of a newer release is refused, because to leave out what it says would be to forget it. Immutable.
 */
public final class FactForm {
    private static final Map<Integer, Class<? extends Fact>> NUMBERS = Map.ofEntries(
            Map.entry(1, Fact.EpochBegun.class),
            Map.entry(2, Fact.NumbersUsed.class),
            Map.entry(3, Fact.DriverTaken.class),
            Map.entry(4, Fact.DriverPlaced.class),
            Map.entry(5, Fact.DriverBackedOff.class),
            Map.entry(6, Fact.DriverLeft.class),
            Map.entry(7, Fact.DriverKillAsked.class),
            Map.entry(8, Fact.DriverClosed.class),
            Map.entry(9, Fact.DriversForgotten.class),
            Map.entry(10, Fact.RequestsForgotten.class),
            Map.entry(11, Fact.ExecutorIdsReserved.class),
            Map.entry(12, Fact.ApplicationsClosed.class));

    private static final int COUNT_MAX = 1 << 24; // of the elements of a list

    private final Map<Class<?>, Integer> byType = new LinkedHashMap<>();
    private final Map<Class<?>, Form> forms = new LinkedHashMap<>();

    public FactForm() {
        NUMBERS.forEach((number, type) -> {
            byType.put(type, number);
            addForm(type);
        });
    }

    /** Components of a record, and its constructor. */
    private record Form(List<RecordComponent> components, Constructor<?> constructor) {}

    private void addForm(Type type) {
        if (type instanceof ParameterizedType generic) {
            Stream.of(generic.getActualTypeArguments()).forEach(this::addForm);
        } else if (type instanceof Class<?> found && found.isRecord() && !forms.containsKey(found)) {
            List<RecordComponent> components = List.of(found.getRecordComponents());
            try {
                Constructor<?> constructor = found.getDeclaredConstructor(
                        components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new));
                constructor.trySetAccessible();
                forms.put(found, new Form(components, constructor));
            } catch (NoSuchMethodException impossible) {
                throw new IllegalStateException(found + ": no canonical constructor", impossible);
            }
            for (RecordComponent component : components) {
                component.getAccessor().trySetAccessible();
                addForm(component.getGenericType());
            }
        }
    }

    public Bytes bytes(Fact fact) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(byType.get(fact.getClass()));
            write(out, fact.getClass(), fact);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Bytes.owning(bytes.toByteArray());
    }

    /** Reads a fact. Fails with {@code FILE_DAMAGED} if a newer release has written it. */
    public Fact read(Bytes bytes) {
        try (DataInputStream in = new DataInputStream(bytes.stream())) {
            int number = in.readUnsignedByte();
            Class<? extends Fact> type = NUMBERS.get(number);
            if (type == null) {
                throw newer("number " + number);
            }
            Fact fact = type.cast(read(in, type));
            if (in.read() >= 0) {
                throw newer(type.getSimpleName() + " with more bytes");
            }
            return fact;
        } catch (IOException | ReflectiveOperationException | RuntimeException malformed) {
            throw ErrorCode.FILE_DAMAGED.failure(
                    "log of facts: " + malformed.getMessage()
                            + " (expected: facts of this release or an older one); start the release that wrote it",
                    malformed);
        }
    }

    private static RuntimeException newer(String what) {
        return new IllegalStateException("a fact that this release does not know, " + what);
    }

    private void write(DataOutputStream out, Type type, Object value) throws IOException {
        if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        } else if (value instanceof Integer number) {
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeLong(number);
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof Enum<?> constant) {
            write(out, String.class, constant.name());
        } else if (value instanceof OptionalInt number) {
            out.writeBoolean(number.isPresent());
            out.writeInt(number.orElse(0));
        } else if (value instanceof List<?> list) {
            out.writeInt(list.size());
            for (Object element : list) {
                write(out, argument(type, 0), element);
            }
        } else if (value instanceof Map<?, ?> map) {
            out.writeInt(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(out, argument(type, 0), entry.getKey());
                write(out, argument(type, 1), entry.getValue());
            }
        } else {
            writeRecord(out, value);
        }
    }

    private void writeRecord(DataOutputStream out, Object value) throws IOException {
        Form form = form(value.getClass());
        out.writeByte(form.components().size());
        for (RecordComponent component : form.components()) {
            try {
                write(out, component.getGenericType(), component.getAccessor().invoke(value));
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(component.toString(), impossible);
            }
        }
    }

    private Form form(Class<?> type) {
        return Optional.ofNullable(forms.get(type))
                .orElseThrow(() -> new IllegalStateException(type + " in a fact (expected: a record, text or number)"));
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private Object read(DataInputStream in, Type type) throws IOException, ReflectiveOperationException {
        Class<?> raw = raw(type);
        if (raw == String.class) {
            return new String(in.readNBytes(count(in)), StandardCharsets.UTF_8);
        } else if (raw == int.class || raw == Integer.class) {
            return in.readInt();
        } else if (raw == long.class) {
            return in.readLong();
        } else if (raw == boolean.class) {
            return in.readBoolean();
        } else if (raw.isEnum()) {
            return constant(raw, (String) read(in, String.class));
        } else if (raw == OptionalInt.class) {
            boolean isPresent = in.readBoolean();
            int number = in.readInt();
            return isPresent ? OptionalInt.of(number) : OptionalInt.empty();
        } else if (raw == List.class) {
            List<Object> list = new ArrayList<>();
            for (int left = count(in); left > 0; left--) {
                list.add(read(in, argument(type, 0)));
            }
            return Collections.unmodifiableList(list);
        } else if (raw == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int left = count(in); left > 0; left--) {
                Object key = read(in, argument(type, 0));
                map.put(key, read(in, argument(type, 1)));
            }
            return Collections.unmodifiableMap(map);
        }
        return readRecord(in, raw);
    }

    private Object readRecord(DataInputStream in, Class<?> type) throws IOException, ReflectiveOperationException {
        Form form = form(type);
        int count = in.readUnsignedByte();
        if (count > form.components().size()) {
            throw newer(type.getSimpleName() + " with " + count + " components");
        }
        Object[] values = new Object[form.components().size()];
        for (int i = 0; i < values.length; i++) {
            Type component = form.components().get(i).getGenericType();
            values[i] = i < count ? read(in, component) : empty(raw(component));
        }
        return form.constructor().newInstance(values);
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > COUNT_MAX) {
            throw new IOException("a length of " + count);
        }
        return count;
    }

    private static Object constant(Class<?> type, String name) {
        return Stream.of(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElseThrow(() -> newer(type.getSimpleName() + " " + name));
    }

    /** Value of a component that an older release did not write. */
    private static Object empty(Class<?> type) {
        Map<Class<?>, Object> values = Map.of(
                String.class,
                "",
                int.class,
                0,
                long.class,
                0L,
                boolean.class,
                false,
                OptionalInt.class,
                OptionalInt.empty(),
                List.class,
                List.of(),
                Map.class,
                Map.of());
        return Optional.ofNullable(values.get(type)).orElseThrow(() -> newer(type.getSimpleName() + " missing"));
    }
}
