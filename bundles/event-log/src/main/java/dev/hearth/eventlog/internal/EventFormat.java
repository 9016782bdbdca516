package dev.hearth.eventlog.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.hearth.api.event.ApplicationEvent;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Format of an event log: one JSON object per line, beginning with the name of the event's record. Immutable. */
public final class EventFormat {
    /** Name of the object in the first line, which states the version of the format. */
    static final String HEADER = "LogStarted";

    static final int FORMAT = 1;
    private static final Logger LOG = LoggerFactory.getLogger(EventFormat.class);
    private static final String EVENT = "event";
    private static final String FORMAT_FIELD = "format";

    private final JsonFactory json = new JsonFactory();
    private final Map<String, JsonRecordFormat> byName = new LinkedHashMap<>();

    public EventFormat() {
        for (Class<?> type : ApplicationEvent.class.getPermittedSubclasses()) {
            byName.put(type.getSimpleName(), new JsonRecordFormat(type));
        }
    }

    JsonFactory json() {
        return json;
    }

    void writeHeader(JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField(EVENT, HEADER);
        out.writeNumberField(FORMAT_FIELD, FORMAT);
        out.writeEndObject();
        out.writeRaw('\n');
    }

    void write(ApplicationEvent event, JsonGenerator out) throws IOException {
        String name = event.getClass().getSimpleName();
        out.writeStartObject();
        out.writeStringField(EVENT, name);
        byName.get(name).writeFields(event, out);
        out.writeEndObject();
        out.writeRaw('\n');
    }

    /** Reads the event in {@code line}; empty if this release does not know its type. */
    public Optional<ApplicationEvent> read(byte[] line, int length) throws IOException {
        try (JsonParser in = json.createParser(line, 0, length)) {
            JsonRecordFormat shape = in.nextToken() == JsonToken.START_OBJECT
                            && in.nextToken() == JsonToken.FIELD_NAME
                            && in.currentName().equals(EVENT)
                    ? byName.get(in.nextTextValue())
                    : null;
            if (shape != null) {
                return Optional.of((ApplicationEvent) shape.readFields(in));
            }
            while (in.nextToken() != null) { // reads to the end to check that the unknown object is valid JSON
                in.skipChildren();
            }
            return Optional.empty();
        } catch (JsonValueFormat.UnknownConstant newer) {
            LOG.debug("event log: {}", newer.getMessage());
            return Optional.empty();
        }
    }
}
