package dev.hearth.kubernetes.internal.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.pod.AccountManifests;
import dev.hearth.kubernetes.internal.pod.LeastRoles;
import dev.hearth.kubernetes.internal.pod.ManifestText;
import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;

/** Command that prints the least roles of accounts on Kubernetes. Needs no cluster. Stateless. */
@Component(
        service = KubernetesRoleCommand.class,
        property = {"osgi.command.scope=hearth", "osgi.command.function=kubernetes-role", "hearth.command.topic=Cluster"
        })
public final class KubernetesRoleCommand {
    private static final String NAME = "hearth:kubernetes-role";
    private static final Set<String> OPTIONS = Set.of("--namespace=", "--account=", "--json");

    /** Called by the shell; the first argument is the name of the command. */
    @Descriptor("""
            Prints the least roles of drivers, submitters and sweepers on Kubernetes, as manifests.
            kubernetes-role [driver|submitter|sweeper] [--namespace NAME] [--account NAME] [--json]   --account: with the account and its binding
            Example: kubernetes-role driver --namespace spark --account hearth""")
    @SuppressWarnings("MemberName") // the shell calls a method of this name for commands that are no names of Java
    public String _main(String[] arguments) {
        CommandWords words = new CommandWords(NAME, Arrays.copyOfRange(arguments, 1, arguments.length), true, OPTIONS);
        Map<String, ObjectNode> roles = roles(words);
        Optional<String> namespace = words.value("--namespace");
        Optional<String> account = words.value("--account");
        if (account.isPresent() && roles.size() > 1) {
            throw words.misused("--account without a role (expected: driver, submitter or sweeper)");
        }
        List<ObjectNode> manifests = new ArrayList<>();
        for (ObjectNode role : roles.values()) {
            manifests.addAll(account.map(name -> AccountManifests.withRole(name, role, namespace))
                    .orElseGet(() -> List.of(AccountManifests.in(role, namespace))));
        }
        return text(manifests, words.has("--json"));
    }

    private static Map<String, ObjectNode> roles(CommandWords words) {
        Map<String, ObjectNode> roles = new LinkedHashMap<>();
        roles.put("driver", LeastRoles.driver(true, Optional.of(ClaimSettings.DEFAULTS)));
        roles.put("submitter", LeastRoles.submitter(true, true, true, true));
        roles.put("sweeper", LeastRoles.sweeper());
        Optional<String> one = words.word();
        if (one.isEmpty()) {
            return roles;
        }
        ObjectNode role = roles.get(one.get());
        if (role == null) {
            throw words.misused(
                    "role '" + one.get() + "' (expected: one of " + String.join(", ", roles.keySet()) + ")");
        }
        return Map.of(one.get(), role);
    }

    /** The manifests as documents of YAML, or as one list of JSON. */
    static String text(List<? extends JsonNode> manifests, boolean json) {
        if (json) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            manifests.forEach(list::add);
            return list.toString();
        }
        return manifests.stream()
                .map(ManifestText::of)
                .collect(Collectors.joining())
                .stripTrailing();
    }
}
