package dev.hearth.hadoop;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.ReflectionUtils;

/** A split of an input format, as it travels to its task: by its own Writable form, else as a Java object. Immutable. */
final class SplitBytes implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final byte[] bytes;

    private SplitBytes(String type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    static SplitBytes of(Object split) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (split instanceof Writable writable) {
            writable.write(new DataOutputStream(bytes));
        } else {
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(split);
            }
        }
        return new SplitBytes(split.getClass().getName(), bytes.toByteArray());
    }

    /** The split, in the classes of {@code configuration}. */
    Object split(Configuration configuration) throws IOException, ClassNotFoundException {
        Class<?> found = configuration.getClassByName(type);
        if (Writable.class.isAssignableFrom(found)) {
            Writable split = (Writable) ReflectionUtils.newInstance(found, configuration);
            split.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
            return split;
        }
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        try (ObjectInputStream object = new ObjectInputStream(in) {
            @Override
            protected Class<?> resolveClass(java.io.ObjectStreamClass description) throws ClassNotFoundException {
                return configuration.getClassByName(description.getName());
            }
        }) {
            return object.readObject();
        }
    }
}
