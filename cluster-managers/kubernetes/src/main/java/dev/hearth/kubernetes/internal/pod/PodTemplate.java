package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.hearth.kubernetes.internal.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Additions of a user to the pods that Hearth makes: a template below them and patches above them, as trees, so that fields
 * of newer versions of Kubernetes are kept. The template gives way to what Hearth sets, except in security contexts and
 * affinities, which are combined. Immutable.
 */
public final class PodTemplate {
    /** No template and no patches. */
    public static final PodTemplate NONE = new PodTemplate(Json.object(), "", List.of());

    private static final long BYTES_MAX = 1_048_576;
    private static final String TERMS =
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";

    private final ObjectNode template;
    private final String container;
    private final List<ObjectNode> patches;

    private PodTemplate(ObjectNode template, String container, List<ObjectNode> patches) {
        this.template = template;
        this.container = container;
        this.patches = List.copyOf(patches);
    }

    /** A problem of a file, in words for the user. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /**
     * Reads a template, if there is one, of YAML or JSON. Hearth's own container is the one named {@code container}, or
     * the first one; in the pod it is named {@code ownName}. Reads a small local file.
     */
    static PodTemplate read(Optional<Path> file, Optional<String> container, String ownName) throws MalformedException {
        if (file.isEmpty()) {
            return NONE;
        }
        ObjectNode template = tree(file.get());
        PodShape.check(template, file.get());
        String own = ownContainer(template, container, file.get());
        for (JsonNode element : template.at("/spec/containers")) {
            String name = element.path("name").asText();
            if (name.equals(ownName) && !name.equals(own)) {
                throw new MalformedException(file.get() + ": a second container becomes " + ownName
                        + " (expected: one, that of podTemplateContainerName)");
            }
        }
        return new PodTemplate(template, own, List.of());
    }

    /**
     * This template, with the patches in {@code files}, of YAML or JSON, in that order. {@code ownName} is the name of
     * Hearth's own container in the pod. Reads small local files.
     */
    PodTemplate with(List<Path> files, String ownName) throws MalformedException {
        PodTemplate made = this;
        for (Path file : files) {
            ObjectNode patch = checked(tree(file), file);
            List<ObjectNode> all = new ArrayList<>(made.patches);
            all.add(patch);
            made = new PodTemplate(template, container, all);
            ObjectNode pod = made.apply(PodShape.probe(ownName));
            PodShape.check(pod, file);
            PodShape.checkKept(pod, ownName, file);
        }
        return made;
    }

    /** The pod that is made of {@code pod}, whose own container is its only one. */
    ObjectNode apply(ObjectNode pod) {
        ObjectNode made = pod;
        if (!template.isEmpty()) {
            made = TreeMerge.merge(renamed(pod), pod);
            combineSecurity(made, pod);
            combineAffinity(made, pod);
        }
        for (ObjectNode patch : patches) {
            made = TreeMerge.merge(made, patch);
        }
        return made;
    }

    /** The template, in which the own container has the name that Hearth gives it. */
    private ObjectNode renamed(ObjectNode pod) {
        ObjectNode copy = template.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("name", "generateName", "namespace", "ownerReferences"));
        }
        String name = pod.at("/spec/containers/0/name").asText();
        for (JsonNode element : copy.at("/spec/containers")) {
            if (element instanceof ObjectNode each && each.path("name").asText().equals(container)) {
                each.put("name", name);
                each.remove("args");
            }
        }
        return copy;
    }

    private void combineSecurity(ObjectNode made, ObjectNode pod) {
        ObjectNode spec = (ObjectNode) made.get("spec");
        override(spec, template.at("/spec/securityContext"));
        String name = pod.at("/spec/containers/0/name").asText();
        JsonNode own = Json.object();
        for (JsonNode element : template.at("/spec/containers")) {
            own = element.path("name").asText().equals(container) ? element.path("securityContext") : own;
        }
        for (JsonNode element : spec.path("containers")) {
            if (element instanceof ObjectNode each && each.path("name").asText().equals(name)) {
                override(each, own);
            }
        }
    }

    private static void override(ObjectNode holder, JsonNode given) {
        if (given instanceof ObjectNode over && holder.get("securityContext") instanceof ObjectNode ours) {
            holder.set("securityContext", TreeMerge.merge(ours, over));
        }
    }

    /** Demands the excluded nodes in each alternative of the template, of which a node needs to fulfil one alone. */
    private void combineAffinity(ObjectNode made, ObjectNode pod) {
        JsonNode ours = pod.at("/spec" + TERMS + "/0/matchExpressions");
        if (template.at("/spec" + TERMS) instanceof ArrayNode alternatives && ours instanceof ArrayNode expressions) {
            ArrayNode both = alternatives.deepCopy();
            both.forEach(term -> {
                if (term instanceof ObjectNode alternative) {
                    alternative.withArray("matchExpressions").addAll(expressions.deepCopy());
                }
            });
            ((ObjectNode) made.at("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"))
                    .set("nodeSelectorTerms", both);
        }
    }

    private static String ownContainer(ObjectNode template, Optional<String> wanted, Path file)
            throws MalformedException {
        List<String> names = new ArrayList<>();
        template.at("/spec/containers")
                .forEach(element -> names.add(element.path("name").asText()));
        if (wanted.isPresent() && !names.contains(wanted.get())) {
            throw new MalformedException(file + ": no container " + wanted.get() + " (expected: one of " + names + ")");
        }
        return wanted.orElseGet(() -> names.isEmpty() ? "" : names.get(0));
    }

    /** Refuses a patch that would make the pod another one. */
    private static ObjectNode checked(ObjectNode patch, Path file) throws MalformedException {
        for (String path : List.of(
                "/apiVersion",
                "/kind",
                "/metadata/name",
                "/metadata/generateName",
                "/metadata/namespace",
                "/metadata/ownerReferences",
                "/spec/restartPolicy")) {
            if (!patch.at(path).isMissingNode()) {
                throw new MalformedException(file + ": changes " + path + " (expected: not this field)");
            }
        }
        for (Map.Entry<String, JsonNode> label : patch.at("/metadata/labels").properties()) {
            if (PodLabels.isReserved(label.getKey())) {
                throw new MalformedException(file + ": changes the label " + label.getKey()
                        + " (expected: labels that Hearth does not set)");
            }
        }
        return patch;
    }

    /** Reader of files, which is made for users who have some. */
    private static ObjectMapper yaml() {
        return new ObjectMapper(new YAMLFactory())
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS); // a second document would be ignored
    }

    /** Reads a file as a tree; malformed text is reported with its line. */
    private static ObjectNode tree(Path file) throws MalformedException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new MalformedException(
                        file + ": " + Files.size(file) + " bytes (expected: at most " + BYTES_MAX + ")");
            }
            JsonNode tree = yaml().readTree(Files.readAllBytes(file));
            if (tree instanceof ObjectNode object) {
                return object;
            }
            throw new MalformedException(file + ": no object (expected: YAML or JSON of a pod)");
        } catch (JsonProcessingException malformed) {
            throw new MalformedException(file + ": line "
                    + (malformed.getLocation() == null
                            ? "?"
                            : malformed.getLocation().getLineNr()) + ": "
                    + words(malformed)
                    + " (expected: YAML or JSON of a pod)");
        } catch (IOException | UncheckedIOException unreadable) {
            throw new MalformedException(file + ": cannot be read, " + unreadable + " (expected: a readable file)");
        }
    }

    private static String words(JsonProcessingException malformed) {
        String first = malformed.getOriginalMessage().lines().findFirst().orElse("malformed");
        return first.startsWith("Trailing token") ? "a second document" : first;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PodTemplate that
                && template.equals(that.template)
                && container.equals(that.container)
                && patches.equals(that.patches);
    }

    @Override
    public int hashCode() {
        return template.hashCode() + patches.hashCode();
    }

    @Override
    public String toString() {
        return template.isEmpty() ? patches.size() + " patches" : "template and " + patches.size() + " patches";
    }
}
