package dev.hearth.rest.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Message to a client: fields in alphabetical order, indented as Spark does. Fields that are not set are left out. Used
 * by one thread.
 */
final class V1Answer {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String TYPE = "application/json;charset=utf-8";
    private static final int OK = 200;

    private final int status;
    private final Map<String, Field> fields = new TreeMap<>();

    private V1Answer(int status) {
        this.status = status;
    }

    /** Value of a field. */
    private interface Field {
        void write(JsonGenerator out) throws IOException;
    }

    /** Starts a message of the type {@code action} from a server of {@code version}. */
    static V1Answer of(String action, String version) {
        return new V1Answer(OK).text("action", action).text("serverSparkVersion", version);
    }

    /** Starts a refusal. */
    static V1Answer error(int status, String message, String version) {
        V1Answer answer = new V1Answer(status)
                .text("action", V1Texts.ERROR_RESPONSE)
                .text("serverSparkVersion", version)
                .text("message", message);
        return status == V1Refusal.UNKNOWN_VERSION ? answer.text("highestProtocolVersion", V1Texts.VERSION) : answer;
    }

    /** Starts an answer without a type, about a file. */
    static V1Answer ofFile(int status) {
        return new V1Answer(status);
    }

    V1Answer number(String name, long value) {
        fields.put(name, out -> out.writeNumber(value));
        return this;
    }

    V1Answer text(String name, String value) {
        fields.put(name, out -> out.writeString(value));
        return this;
    }

    V1Answer success(boolean value) {
        fields.put("success", out -> out.writeBoolean(value));
        return this;
    }

    /** Adds an array of texts, unless it is empty. */
    V1Answer texts(String name, List<String> values) {
        if (!values.isEmpty()) {
            fields.put(name, out -> {
                out.writeStartArray();
                for (String value : values) {
                    out.writeString(value);
                }
                out.writeEndArray();
            });
        }
        return this;
    }

    HttpAnswer answer() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.useDefaultPrettyPrinter();
            out.writeStartObject();
            for (Map.Entry<String, Field> field : fields.entrySet()) {
                out.writeFieldName(field.getKey());
                field.getValue().write(out);
            }
            out.writeEndObject();
        } catch (IOException impossible) { // writes to memory
            throw new IllegalStateException(impossible);
        }
        return HttpAnswer.bytes(status, TYPE, Bytes.owning(bytes.toByteArray())).with("Cache-Control", "no-store");
    }
}
