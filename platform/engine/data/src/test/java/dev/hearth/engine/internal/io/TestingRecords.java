package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Record format by Java serialisation with a class number in front, so that a reader needs the class names. */
final class TestingRecords implements RecordFormat {
    private static final String NULL = "null";
    private final List<String> names = new ArrayList<>();

    @Override
    public Writer writer() {
        return (record, out) -> {
            String name = record == null ? NULL : record.getClass().getName();
            if (!names.contains(name)) {
                names.add(name);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
                objects.writeObject(record);
            } catch (IOException failure) {
                throw new IllegalArgumentException(failure);
            }
            out.writeSize(names.indexOf(name));
            out.writeSize(bytes.size());
            out.write(bytes.toByteArray(), 0, bytes.size());
        };
    }

    @Override
    public Reader reader() {
        return reader(names);
    }

    @Override
    public Reader reader(List<String> known) {
        return in -> {
            int number = in.readSize();
            int length = in.readSize();
            in.expect(length);
            ByteArrayInputStream bytes = new ByteArrayInputStream(in.array(), in.position(), length);
            in.moveTo(in.position() + length);
            try (ObjectInputStream objects = new ObjectInputStream(bytes)) {
                Object record = objects.readObject();
                String name = record == null ? NULL : record.getClass().getName();
                if (number >= known.size() || !known.get(number).equals(name)) {
                    throw new CorruptRecordException("class " + number + " is not " + name);
                }
                return record;
            } catch (IOException | ClassNotFoundException failure) {
                throw new CorruptRecordException(String.valueOf(failure.getMessage()));
            }
        };
    }

    @Override
    public List<String> names() {
        return List.copyOf(names);
    }
}
