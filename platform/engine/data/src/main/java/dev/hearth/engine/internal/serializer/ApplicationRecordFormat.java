package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.util.List;

/**
 * Record format of one application: built-in serializers for common classes, generated codecs for user classes, and
 * Java serialisation for the rest. It caches all serializers itself, so that they are unloaded together with the
 * application's classes. Thread-safe.
 */
public final class ApplicationRecordFormat implements RecordFormat {
    private final UserObjectSerializer objects;
    private final TypeSerializerRegistry serializers;
    private final int bytesMax; // upper bound on the bytes of one record

    /**
     * Creates the format of an application that runs in this process alone. The format then assigns the class numbers
     * itself.
     */
    public ApplicationRecordFormat(UserObjectSerializer objects) {
        this(objects, new ClassIdTable());
    }

    public ApplicationRecordFormat(UserObjectSerializer objects, ClassIds numbers) {
        this(objects, numbers, RecordOutput.BYTES_MAX);
    }

    ApplicationRecordFormat(UserObjectSerializer objects, ClassIds numbers, int bytesMax) {
        this.bytesMax = bytesMax;
        this.objects = objects;
        this.serializers = new TypeSerializerRegistry(objects, numbers);
    }

    @Override
    public Writer writer() {
        return new RecordWriter(serializers::of, objects, bytesMax);
    }

    @Override
    public Reader reader() {
        return new RecordReader(serializers, objects);
    }

    @Override
    public Reader reader(List<String> names) {
        return new RecordReader(serializers.by(names), objects);
    }

    @Override
    public List<String> names() {
        return serializers.names();
    }
}
