package dev.hearth.spi.cluster;

import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Application to run: its main class, its files, its arguments, the environment of its driver, and its settings. Front
 * ends such as {@code bin/submit} create it from their arguments; a cluster manager receives it if the driver is to run
 * on the cluster. The main class is empty if it stands in the manifest of a jar that only the driver's machine can read.
 * {@code requestId} identifies the request over retries: a cluster that has accepted a plan with the same id starts no
 * second driver. If it is empty, each call of a manager is a request of its own.
 * Create it by {@link #builder}, because later versions have further parts. Immutable.
 */
public record SubmissionPlan(
        String name,
        String mainClass,
        List<SubmissionResource> resources,
        List<String> arguments,
        Map<String, String> environment,
        Settings settings,
        String requestId) {
    public SubmissionPlan {
        resources = List.copyOf(resources);
        arguments = List.copyOf(arguments);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** Starts a plan that has a name, a main class and nothing else. */
    public static Builder builder(String name, String mainClass) {
        return new Builder(name, mainClass);
    }

    /** Starts a plan with all parts of this one. */
    public Builder but() {
        Builder builder = new Builder(name, mainClass);
        builder.resources.addAll(resources);
        return builder.arguments(arguments)
                .environment(environment)
                .settings(settings)
                .requestId(requestId);
    }

    /** The jar that the command line names; empty if the main class comes from another jar. */
    public Optional<SubmissionResource> applicationJar() {
        return resources(Kind.APPLICATION_JAR).stream().findFirst();
    }

    /** The resources of one kind, in the order in which they were given. */
    public List<SubmissionResource> resources(Kind kind) {
        return resources.stream().filter(resource -> resource.kind() == kind).toList();
    }

    /** Text form without settings and environment, which may contain secrets. */
    @Override
    public String toString() {
        return name + " of " + mainClass + " with " + resources;
    }

    /** Collects the parts of a plan. Used by one thread. */
    public static final class Builder {
        private String name;
        private String mainClass;
        private final List<SubmissionResource> resources = new ArrayList<>();
        private List<String> arguments = List.of();
        private Map<String, String> environment = Map.of();
        private Settings settings = Settings.empty();
        private String requestId = "";

        private Builder(String name, String mainClass) {
            this.name = name;
            this.mainClass = mainClass;
        }

        public Builder name(String given) {
            name = given;
            return this;
        }

        public Builder mainClass(String given) {
            mainClass = given;
            return this;
        }

        /** Adds a resource; {@code address} is an absolute path or a URI. */
        public Builder add(Kind kind, String address) {
            resources.add(SubmissionResource.of(kind, address));
            return this;
        }

        /** Replaces all resources. */
        public Builder resources(List<SubmissionResource> given) {
            resources.clear();
            resources.addAll(given);
            return this;
        }

        public Builder arguments(List<String> given) {
            arguments = given;
            return this;
        }

        /** Environment variables of a driver that runs on the cluster, in addition to those of its machine. */
        public Builder environment(Map<String, String> given) {
            environment = given;
            return this;
        }

        public Builder settings(Settings given) {
            settings = given;
            return this;
        }

        /** Id that a retry of the request repeats. */
        public Builder requestId(String given) {
            requestId = given;
            return this;
        }

        public SubmissionPlan build() {
            return new SubmissionPlan(name, mainClass, resources, arguments, environment, settings, requestId);
        }
    }
}
