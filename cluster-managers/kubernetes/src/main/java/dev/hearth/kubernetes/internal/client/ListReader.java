package dev.hearth.kubernetes.internal.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages of lists from JSON. Fields that no fact is read from are skipped as text. Thread-safe. */
final class ListReader {
    private static final Fields STATUSES =
            Fields.of("name", "image", "restartCount").with("state", Fields.ALL).with("lastState", Fields.ALL);
    private static final Fields OBJECT = Fields.of("kind")
            .with(
                    "metadata",
                    Fields.of(
                                    "name",
                                    "namespace",
                                    "uid",
                                    "resourceVersion",
                                    "creationTimestamp",
                                    "deletionTimestamp",
                                    "deletionGracePeriodSeconds")
                            .with("labels", Fields.ALL)
                            .with("annotations", Fields.of(AnchorMarks.EPOCH, AnchorMarks.RENEWED, AnchorMarks.LOOKED)))
            .with(
                    "spec",
                    Fields.of("nodeName", "serviceAccountName", "accessModes", "storageClassName")
                            .with("resources", Fields.of().with("requests", Fields.of("storage")))
                            .with("containers", Fields.of())
                            .with("volumes", Fields.of("name")))
            .with(
                    "status",
                    Fields.of("phase", "reason", "message", "podIP", "startTime")
                            .with("conditions", Fields.of("type", "status", "reason", "message"))
                            .with("initContainerStatuses", STATUSES)
                            .with("containerStatuses", STATUSES));
    private static final Fields LIST = Fields.of()
            .with("metadata", Fields.of("resourceVersion", "continue"))
            .with("items", OBJECT);

    private final ObjectMapper mapper = new ObjectMapper();

    /** Reads a page; {@code serverSeconds} is the time of the server's clock. */
    Answer.Page read(byte[] body, long serverSeconds) throws IOException {
        JsonNode list;
        try (JsonParser parser = mapper.createParser(body);
                JsonParser filtered =
                        new FilteringParserDelegate(parser, LIST, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true)) {
            list = mapper.readTree(filtered);
        }
        if (list == null || !list.isObject()) {
            throw new IOException("no list (expected: an object with items)");
        }
        List<ObjectFacts> objects = new ArrayList<>();
        list.path("items").forEach(item -> objects.add(ObjectReader.read(item)));
        JsonNode metadata = list.path("metadata");
        return new Answer.Page(
                objects,
                metadata.path("resourceVersion").asText(""),
                metadata.path("continue").asText(""),
                serverSeconds);
    }

    /** Fields of an object that are read, or of the objects of a list. Immutable. */
    private static final class Fields extends TokenFilter {
        /** All fields at any depth. */
        static final TokenFilter ALL = INCLUDE_ALL;

        private final Map<String, TokenFilter> read;

        private Fields(Map<String, TokenFilter> read) {
            this.read = read;
        }

        static Fields of(String... names) {
            Map<String, TokenFilter> read = new LinkedHashMap<>();
            List.of(names).forEach(name -> read.put(name, ALL));
            return new Fields(read);
        }

        Fields with(String name, TokenFilter fields) {
            Map<String, TokenFilter> more = new LinkedHashMap<>(read);
            more.put(name, fields);
            return new Fields(more);
        }

        @Override
        public @Nullable TokenFilter includeProperty(String name) {
            return read.get(name);
        }

        @Override
        protected boolean _includeScalar() {
            return true;
        }

        @Override
        public boolean includeEmptyObject(boolean contentsFiltered) {
            return true;
        }

        @Override
        public boolean includeEmptyArray(boolean contentsFiltered) {
            return true;
        }
    }
}
