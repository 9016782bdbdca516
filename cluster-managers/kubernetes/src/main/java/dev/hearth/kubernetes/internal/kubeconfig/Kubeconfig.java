package dev.hearth.kubernetes.internal.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.spi.error.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Clusters, users and contexts of the kubeconfig files, merged as kubectl does: of two entries of one name, that of the
 * first file counts. Relative paths belong to the directory of the file that contains them. Immutable.
 */
public final class Kubeconfig {
    private static final String VARIABLE = "KUBECONFIG";

    private final List<Path> files;
    private final String currentContext;
    private final Map<String, Entry> contexts;
    private final Map<String, Entry> clusters;
    private final Map<String, Entry> users;

    /** Entry of a list, and the file that contains it. */
    record Entry(JsonNode tree, Path file) {}

    /** Entries that a context names. {@code namespace} is empty if it names none. */
    public record Selection(ClusterEntry cluster, UserEntry user, String namespace) {}

    private Kubeconfig(
            List<Path> files,
            String currentContext,
            Map<String, Entry> contexts,
            Map<String, Entry> clusters,
            Map<String, Entry> users) {
        this.files = List.copyOf(files);
        this.currentContext = currentContext;
        this.contexts = contexts;
        this.clusters = clusters;
        this.users = users;
    }

    /**
     * Reads the files that the variable KUBECONFIG names, or else {@code .kube/config} in {@code home}; empty if there are
     * none. Fails with {@code CLUSTER_UNREACHABLE} if one is malformed.
     */
    public static Optional<Kubeconfig> find(Map<String, String> environment, Path home) {
        List<Path> named = new ArrayList<>();
        for (String path : environment.getOrDefault(VARIABLE, "").split(File.pathSeparator, -1)) {
            if (!path.isBlank()) {
                named.add(Path.of(path.strip()));
            }
        }
        if (named.isEmpty()) {
            named.add(home.resolve(".kube").resolve("config"));
        }
        List<Path> files = named.stream().filter(Files::exists).toList();
        return files.isEmpty() ? Optional.empty() : Optional.of(read(files));
    }

    private static Kubeconfig read(List<Path> files) {
        String current = "";
        Map<String, Entry> contexts = new LinkedHashMap<>();
        Map<String, Entry> clusters = new LinkedHashMap<>();
        Map<String, Entry> users = new LinkedHashMap<>();
        for (Path file : files) {
            JsonNode tree = tree(file);
            current = current.isEmpty() ? tree.path("current-context").asText("") : current;
            add(tree.path("contexts"), "context", file, contexts);
            add(tree.path("clusters"), "cluster", file, clusters);
            add(tree.path("users"), "user", file, users);
        }
        return new Kubeconfig(files, current, contexts, clusters, users);
    }

    private static JsonNode tree(Path file) {
        try {
            JsonNode tree = read(Files.readAllBytes(file));
            if (tree.isObject() || tree.isMissingNode() || tree.isNull()) {
                return tree;
            }
        } catch (JsonProcessingException malformed) {
            // without the words of the parser, which quote the file: it may contain credentials
            throw refusal(
                    file + " line " + malformed.getLocation().getLineNr() + ": malformed (expected: YAML of a Config)");
        } catch (IOException unreadable) {
            throw refusal(file + ": cannot be read, " + unreadable + " (expected: a file that this user may read)");
        }
        throw refusal(file + ": no object (expected: YAML of a Config)");
    }

    private static JsonNode read(byte[] text) throws IOException {
        try (JsonParser parser = new YAMLFactory().createParser(text)) {
            return Json.read(parser);
        }
    }

    private static void add(JsonNode list, String kind, Path file, Map<String, Entry> entries) {
        for (JsonNode entry : list) {
            entries.putIfAbsent(entry.path("name").asText(), new Entry(entry.path(kind), file));
        }
    }

    /**
     * Returns the entries that {@code context}, or else the current context, names; empty if no context is named. Fails with {@code
     * CLUSTER_UNREACHABLE} if a named entry is missing, or is of a kind that is not supported.
     */
    public Optional<Selection> select(Optional<String> context) {
        String name = context.orElse(currentContext);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        JsonNode found = entry(contexts, "context", name).tree();
        String cluster = found.path("cluster").asText("");
        String user = found.path("user").asText("");
        ClusterEntry clusterEntry =
                cluster.isEmpty() ? ClusterEntry.NONE : cluster(entry(clusters, "cluster", cluster));
        UserEntry userEntry = user.isEmpty()
                ? UserEntry.NONE
                : new UserReader(user, entry(users, "user", user), () -> clusterInfo(cluster)).read();
        return Optional.of(
                new Selection(clusterEntry, userEntry, found.path("namespace").asText("")));
    }

    private Entry entry(Map<String, Entry> entries, String kind, String name) {
        Entry found = entries.get(name);
        if (found == null) {
            throw refusal(
                    files + ": " + kind + " '" + name + "' is missing (expected: one of " + entries.keySet() + ")");
        }
        return found;
    }

    private static ClusterEntry cluster(Entry entry) {
        JsonNode tree = entry.tree();
        return new ClusterEntry(
                tree.path("server").asText(""),
                EntryText.of(entry, "certificate-authority"),
                tree.path("insecure-skip-tls-verify").asBoolean(false),
                tree.path("tls-server-name").asText(""),
                tree.path("proxy-url").asText(""));
    }

    /** Description of a cluster for a plug-in. */
    private String clusterInfo(String name) {
        Entry entry = clusters.get(name);
        if (entry == null) {
            return "";
        }
        ObjectNode info = Json.object();
        JsonNode tree = entry.tree();
        for (String field : List.of("server", "tls-server-name", "insecure-skip-tls-verify", "proxy-url")) {
            if (tree.has(field)) {
                info.set(field, tree.get(field));
            }
        }
        try {
            String certificates = EntryText.of(entry, "certificate-authority").read();
            if (!certificates.isEmpty()) {
                info.put(
                        "certificate-authority-data", Base64.getEncoder().encodeToString(certificates.getBytes(UTF_8)));
            }
        } catch (IOException unreadable) {
            throw refusal(unreadable.getMessage());
        }
        for (JsonNode extension : tree.path("extensions")) {
            if (extension.path("name").asText().equals("client.authentication.k8s.io/exec")) {
                info.set("config", extension.path("extension"));
            }
        }
        return Json.text(info);
    }

    static RuntimeException refusal(String words) {
        return ErrorCode.CLUSTER_UNREACHABLE.failure("kubeconfig " + words);
    }
}
