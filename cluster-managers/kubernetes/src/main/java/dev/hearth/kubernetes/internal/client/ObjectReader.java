package dev.hearth.kubernetes.internal.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ClaimFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails;
import dev.hearth.kubernetes.internal.api.PodFacts;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reader of one object from tokens of JSON. Unknown fields are skipped; missing ones, and those of another kind, are empty. Used
 * once, by one thread.
 */
final class ObjectReader {
    /** Label of the pods whose details are read. */
    private static final String ROLE = "spark-role";
    /** The annotations that are read. */
    private static final Set<String> OWN = Set.of(AnchorMarks.EPOCH, AnchorMarks.RENEWED, AnchorMarks.LOOKED);
    /** Reason of a pod that is not ready because of a gate of its user. */
    private static final String GATES = "ReadinessGatesNotReady";

    private final FieldReader in;
    private final Map<String, String> labels = new TreeMap<>();
    private final Map<String, String> annotations = new TreeMap<>();
    private final List<ContainerReader> containers = new ArrayList<>(1);
    private final List<String> volumes = new ArrayList<>(0);
    private final List<String> modes = new ArrayList<>(0);
    private String kind = "";
    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String version = "";
    private String created = "";
    private boolean deleting;
    private int grace;
    private boolean hasContainers;
    private boolean hasModes;
    private String node = "";
    private String account = "";
    private String storageClass = "";
    private String storage = "";
    private String phase = "Pending";
    private String reason = "";
    private String message = "";
    private String address = "";
    private String started = "";
    private String unscheduled = "";
    private String disruption = "";
    private boolean marked; // the pod is not ready
    private boolean containersReady;

    private ObjectReader(FieldReader in) {
        this.in = in;
    }

    /** Reads the object whose first token {@code parser} has read; {@code words} are values that earlier ones had. */
    static ObjectFacts read(JsonParser parser, RepeatedWords words) throws IOException {
        ObjectReader reader = new ObjectReader(new FieldReader(parser, words));
        reader.in.fields(reader::field);
        return reader.facts();
    }

    private ObjectFacts facts() {
        boolean isPod = kind.equals("Pod") || hasContainers;
        boolean isDriver = isPod && labels.getOrDefault(ROLE, "").equals("driver");
        return new ObjectFacts(
                name,
                uid,
                version,
                labels,
                seconds(created),
                isPod ? Optional.of(pod()) : Optional.empty(),
                isDriver ? Optional.of(details()) : Optional.empty(),
                annotations,
                hasModes ? Optional.of(new ClaimFacts(storageClass, modes, storage, deleting)) : Optional.empty());
    }

    private PodFacts pod() {
        return new PodFacts(
                phase,
                reason,
                message,
                node,
                address,
                deleting,
                grace,
                unscheduled,
                disruption,
                containers.stream().map(ContainerReader::facts).toList(),
                marked && containersReady); // the node controller marks the pod alone
    }

    private PodDetails details() {
        return new PodDetails(
                namespace,
                created,
                account,
                volumes,
                started,
                containers.stream()
                        .filter(container -> !container.isInit())
                        .map(ContainerReader::details)
                        .toList());
    }

    private void field(String field) throws IOException {
        switch (field) {
            case "kind" -> kind = in.word(field);
            case "metadata" -> in.fields(this::metadata);
            case "spec" -> in.fields(this::spec);
            case "status" -> in.fields(this::status);
            default -> in.skip();
        }
    }

    private void metadata(String field) throws IOException {
        switch (field) {
            case "name" -> name = in.text();
            case "namespace" -> namespace = in.word(field);
            case "uid" -> uid = in.text();
            case "resourceVersion" -> version = in.text();
            case "creationTimestamp" -> created = in.word(field);
            case "deletionTimestamp" -> deleting = !in.text().isEmpty();
            case "deletionGracePeriodSeconds" -> grace = in.number();
            case "labels" -> in.fields(label -> labels.put(label, in.word(label)));
            case "annotations" ->
                in.fields(annotation -> {
                    if (OWN.contains(annotation)) {
                        annotations.put(annotation, in.word(annotation));
                    } else {
                        in.skip();
                    }
                });
            default -> in.skip();
        }
    }

    private void spec(String field) throws IOException {
        switch (field) {
            case "nodeName" -> node = in.word(field);
            case "serviceAccountName" -> account = in.word(field);
            case "storageClassName" -> storageClass = in.word(field);
            case "containers" -> {
                hasContainers = true;
                in.skip();
            }
            case "accessModes" -> {
                hasModes = true;
                in.elements(() -> modes.add(in.word(field)));
            }
            case "volumes" ->
                in.elements(() -> in.fields(inner -> {
                    if (inner.equals("name")) {
                        volumes.add(in.word("volume"));
                    } else {
                        in.skip();
                    }
                }));
            case "resources" -> in.fields(this::resources);
            default -> in.skip();
        }
    }

    private void resources(String field) throws IOException {
        switch (field) {
            case "requests" -> in.fields(this::resources);
            case "storage" -> storage = in.text();
            default -> in.skip();
        }
    }

    private void status(String field) throws IOException {
        switch (field) {
            case "phase" -> phase = in.word(field);
            case "reason" -> reason = in.word(field);
            case "message" -> message = in.message();
            case "podIP" -> address = in.text();
            case "startTime" -> started = in.word(field);
            case "conditions" -> in.elements(this::condition);
            case "initContainerStatuses" -> in.elements(() -> containers.add(ContainerReader.read(in, true)));
            case "containerStatuses" -> in.elements(() -> containers.add(ContainerReader.read(in, false)));
            default -> in.skip();
        }
    }

    private void condition() throws IOException {
        String[] found = {"", "", "", ""}; // type, status, reason, message
        in.fields(field -> {
            switch (field) {
                case "type" -> found[0] = in.word("condition");
                case "status" -> found[1] = in.word("condition status");
                case "reason" -> found[2] = in.word("condition reason");
                case "message" -> found[3] = in.message();
                default -> in.skip();
            }
        });
        boolean holds = found[1].equals("True");
        boolean fails = found[1].equals("False");
        switch (found[0]) {
            case "PodScheduled" -> unscheduled = fails ? (found[3].isEmpty() ? found[2] : found[3]) : "";
            case "DisruptionTarget" -> disruption = holds ? found[2] : "";
            case "Ready" -> marked = fails && !found[2].equals(GATES);
            case "ContainersReady" -> containersReady = holds;
            default -> {
                // other conditions say nothing that is used
            }
        }
    }

    private static long seconds(String time) {
        try {
            return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
        } catch (DateTimeException malformed) {
            return 0; // shown as unknown; no decision depends on it
        }
    }

    /** Fields and elements of JSON, read token by token. A value of another kind than expected is skipped. */
    static final class FieldReader {
        private static final int MESSAGE_MAX = 4096;

        private final JsonParser parser; // at the first token of a value
        private final RepeatedWords words;

        FieldReader(JsonParser parser, RepeatedWords words) {
            this.parser = parser;
            this.words = words;
        }

        /** Calls {@code field} at the value of each field of an object; it reads the value. */
        void fields(Step field) throws IOException {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                return;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                field.read(name);
            }
        }

        /** Calls {@code element} at each element of a list; it reads the element. */
        void elements(Element element) throws IOException {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                parser.skipChildren();
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() == null) {
                    throw new IOException("a list without an end");
                }
                element.read();
            }
        }

        void skip() throws IOException {
            parser.skipChildren();
        }

        boolean isObject() {
            return parser.currentToken() == JsonToken.START_OBJECT;
        }

        String text() throws IOException {
            if (parser.currentToken() == JsonToken.VALUE_NULL
                    || !parser.currentToken().isScalarValue()) {
                parser.skipChildren();
                return "";
            }
            return parser.getText();
        }

        /** A text that the field {@code of} often has again. */
        String word(String of) throws IOException {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                return text();
            }
            return words.word(of, parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
        }

        /** The end of a text that may be long. */
        String message() throws IOException {
            String text = text();
            return text.length() > MESSAGE_MAX ? text.substring(text.length() - MESSAGE_MAX) : text;
        }

        int number() throws IOException {
            if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                return parser.getValueAsInt();
            }
            parser.skipChildren();
            return 0;
        }
    }

    /** Reads the value of a field. */
    @FunctionalInterface
    interface Step {
        void read(String field) throws IOException;
    }

    /** Reads an element of a list. */
    @FunctionalInterface
    interface Element {
        void read() throws IOException;
    }
}
