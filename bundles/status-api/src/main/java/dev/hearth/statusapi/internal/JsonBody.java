package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** Builds a JSON response body. Used for one response. */
@FunctionalInterface
interface JsonBody {
    void write(JsonGenerator out) throws IOException;

    /** Returns a body that is an array with one element per item of {@code elements}; {@code each} writes an item. */
    static <T> JsonBody array(List<T> elements, Each<T> each) {
        return out -> {
            out.writeStartArray();
            for (T element : elements) {
                each.write(element, out);
            }
            out.writeEndArray();
        };
    }

    static HttpAnswer answer(JsonFactory json, JsonBody body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.useDefaultPrettyPrinter(); // indented as Spark does, so that people can read the output of curl
            body.write(out);
        } catch (IOException impossible) { // writes to memory
            throw new IllegalStateException(impossible);
        }
        return HttpAnswer.bytes(200, "application/json;charset=utf-8", Bytes.owning(bytes.toByteArray()));
    }

    /** Writes the timestamp field {@code name}, or nothing if {@code millis} is empty. */
    static void timestamp(JsonGenerator out, String name, OptionalLong millis) throws IOException {
        if (millis.isPresent()) {
            out.writeStringField(name, QueryParameters.timestamp(millis.getAsLong()));
        }
    }

    static void texts(JsonGenerator out, String name, List<String> texts) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }

    static void numbers(JsonGenerator out, String name, List<Integer> numbers) throws IOException {
        out.writeArrayFieldStart(name);
        for (int number : numbers) {
            out.writeNumber(number);
        }
        out.writeEndArray();
    }

    /** Writes one element. */
    @FunctionalInterface
    interface Each<T> {
        void write(T element, JsonGenerator out) throws IOException;
    }
}
