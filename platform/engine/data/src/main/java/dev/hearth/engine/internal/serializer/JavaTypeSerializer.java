package dev.hearth.engine.internal.serializer;

import dev.hearth.spi.net.Bytes;

/**
 * Serializer that uses Java serialisation, with the class filter that also applies to closures. Handles classes that
 * customise their serialised form, and all classes without another serializer.
 */
final class JavaTypeSerializer extends TypeSerializer {
    JavaTypeSerializer() {
        super(TypeTag.JAVA, ReferenceTracking.AFTER_CONTENT, false);
    }

    @Override
    void write(Object value, RecordWriter out) {
        out.writeByJava(value);
    }

    static void writeContent(Bytes bytes, RecordOutput out) {
        out.writeSize(bytes.size());
        bytes.read(content -> out.write(content, 0, content.length));
    }

    @Override
    Object read(RecordReader in) {
        return in.readByJava();
    }
}
