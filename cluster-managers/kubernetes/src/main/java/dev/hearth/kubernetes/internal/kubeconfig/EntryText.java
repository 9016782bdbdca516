package dev.hearth.kubernetes.internal.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Base64;

/** Fields of entries that are Base64 under {@code NAME-data}, or a path under {@code NAME}. Pure. */
final class EntryText {
    private EntryText() {}

    /** The text of {@code name}; as in kubectl, the field with data has precedence. */
    static TextSource of(Kubeconfig.Entry entry, String name) {
        JsonNode tree = entry.tree();
        String data = tree.path(name + "-data").asText("");
        if (!data.isEmpty()) {
            try {
                return TextSource.of(new String(Base64.getMimeDecoder().decode(data), UTF_8));
            } catch (IllegalArgumentException malformed) {
                // without the words of the decoder, which may quote a key
                throw Kubeconfig.refusal(entry.file() + ": " + name + "-data is malformed (expected: Base64)");
            }
        }
        String path = tree.path(name).asText("");
        return path.isEmpty() ? TextSource.NONE : TextSource.of(beside(entry, path));
    }

    /** {@code path} from the directory of the file that contains it. */
    static Path beside(Kubeconfig.Entry entry, String path) {
        return entry.file().toAbsolutePath().resolveSibling(path).normalize();
    }
}
