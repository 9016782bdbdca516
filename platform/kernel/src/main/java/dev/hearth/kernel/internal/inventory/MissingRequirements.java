package dev.hearth.kernel.internal.inventory;

import dev.hearth.kernel.internal.inventory.JarCapabilities.Offer;
import dev.hearth.spi.error.Failures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.namespace.ExecutionEnvironmentNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Explains which requirements of a bundle are missing, and which jars could provide them. Any thread may call; lives as
 * long as the OSGi framework.
 */
public final class MissingRequirements {
    private static final String RESOLUTION = "resolution";
    private static final String EFFECTIVE = "effective";
    /** Maximum number of missing requirements that are explained; a bundle may have thousands. */
    private static final int EXPLAINED_MAX = 10;

    private final BundleContext context;
    private final JarCapabilities offers;

    /**
     * {@code directories} are the directories whose jars are searched, so that an explanation can name those that would
     * meet a missing requirement.
     */
    public MissingRequirements(BundleContext context, List<Path> directories) {
        this.context = context;
        this.offers = new JarCapabilities(directories);
    }

    /** Explains why {@code bundle} does not resolve, with one clause for each missing requirement. */
    public String explain(Bundle bundle) {
        List<BundleRequirement> lacking = new ArrayList<>();
        collect(bundle, new LinkedHashSet<>(), lacking);
        if (lacking.isEmpty()) {
            return "its requirements are present but inconsistent (expected: one version of each package among"
                    + " the bundles it is wired to); see hearth:why " + bundle.getSymbolicName();
        }
        List<Offer> all = offers.all();
        List<String> clauses = new ArrayList<>();
        for (BundleRequirement requirement : lacking.subList(0, Math.min(lacking.size(), EXPLAINED_MAX))) {
            Bundle owner = requirement.getRevision().getBundle();
            String subject = owner.equals(bundle) ? "lacks " : owner.getSymbolicName() + " lacks ";
            clauses.add(subject + words(requirement) + advice(requirement, all));
        }
        int others = lacking.size() - clauses.size();
        return String.join("; ", clauses) + (others == 0 ? "" : "; and " + others + " more requirements");
    }

    /** Returns the reason why {@code bundle} did not start, which {@code failure} reports, as text for the user. */
    public String explain(Bundle bundle, BundleException failure) {
        Throwable cause = failure.getCause();
        return switch (failure.getType()) {
            case BundleException.RESOLVE_ERROR -> explain(bundle);
            case BundleException.ACTIVATOR_ERROR ->
                Failures.expecting(
                        "its activator threw " + (cause == null ? failure : cause), "a start without failure");
            default -> Failures.expecting(String.valueOf(failure.getMessage()), "a bundle that starts");
        };
    }

    /** Returns the labels of the jars in the searched directories that declare a service of the type {@code type}. */
    Set<String> jarsOffering(String type) {
        Set<String> jars = new TreeSet<>();
        for (Offer offer : offers.all()) {
            Object types = offer.attributes().get(Constants.OBJECTCLASS);
            if (offer.namespace().equals("osgi.service")
                    && (type.equals(types) || (types instanceof List<?> several && several.contains(type)))) {
                jars.add(offer.jar());
            }
        }
        return jars;
    }

    /**
     * Adds to {@code lacking} the requirements that no installed bundle meets, of {@code bundle} and of unresolved
     * bundles that it depends on.
     */
    private void collect(Bundle bundle, Set<Bundle> visited, List<BundleRequirement> lacking) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        if (revision == null || !visited.add(bundle)) {
            return;
        }
        for (BundleRequirement requirement : revision.getDeclaredRequirements(null)) {
            if (isNeeded(requirement)) {
                List<Bundle> providers = providers(requirement);
                if (providers.isEmpty()) {
                    lacking.add(requirement);
                } else if (providers.stream().noneMatch(MissingRequirements::isResolved)) {
                    collect(providers.get(0), visited, lacking);
                }
            }
        }
    }

    private static boolean isNeeded(BundleRequirement requirement) {
        Map<String, String> directives = requirement.getDirectives();
        return !"optional".equals(directives.get(RESOLUTION))
                && !"dynamic".equals(directives.get(RESOLUTION))
                && "resolve".equals(directives.getOrDefault(EFFECTIVE, "resolve"));
    }

    private static boolean isResolved(Bundle bundle) {
        return (bundle.getState() & (Bundle.INSTALLED | Bundle.UNINSTALLED)) == 0;
    }

    private List<Bundle> providers(BundleRequirement requirement) {
        List<Bundle> providers = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            for (BundleCapability capability : revision == null
                    ? List.<BundleCapability>of()
                    : revision.getDeclaredCapabilities(requirement.getNamespace())) {
                if (requirement.matches(capability)) {
                    providers.add(bundle);
                    break;
                }
            }
        }
        return providers;
    }

    private static String words(BundleRequirement requirement) {
        String filter = requirement.getDirectives().getOrDefault(Constants.FILTER_DIRECTIVE, "");
        String namespace = requirement.getNamespace();
        if (namespace.equals(PackageNamespace.PACKAGE_NAMESPACE)) {
            return "package " + FilterText.of(filter, namespace);
        }
        if (namespace.equals(ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE)) {
            return "a Java that is " + filter + " (this is " + Runtime.version().feature() + ")";
        }
        return namespace + " " + FilterText.of(filter, namespace);
    }

    private String advice(BundleRequirement requirement, List<Offer> all) {
        String namespace = requirement.getNamespace();
        if (namespace.equals(ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE)) {
            return "";
        }
        Set<String> fitting = new TreeSet<>();
        Set<String> others = new TreeSet<>(otherVersions(requirement));
        String text = requirement.getDirectives().get(Constants.FILTER_DIRECTIVE);
        try {
            Filter filter = FrameworkUtil.createFilter(text == null ? "(!(no=filter))" : text);
            for (Offer offer : all) {
                if (offer.namespace().equals(namespace)) {
                    if (filter.matches(offer.attributes())) {
                        fitting.add(offer.jar());
                    } else if (text != null && isNamed(offer, namespace, text)) {
                        others.add(offer.jar() + " has version "
                                + offer.attributes().get(Constants.VERSION_ATTRIBUTE));
                    }
                }
            }
        } catch (InvalidSyntaxException e) {
            return " (expected: a filter, not " + text + ")";
        }
        if (!fitting.isEmpty()) {
            return " (expected: a bundle that offers it); " + fitting
                    + " could: put it into deploy/, or name it in the attribute needs of Hearth-Role";
        }
        return others.isEmpty()
                ? " (expected: a bundle that offers it); none in bundles/ or deploy/ does"
                : " (expected: a bundle that offers it); " + others;
    }

    /**
     * Returns descriptions of the installed bundles that provide what {@code requirement} names, but in another version
     * than the required one.
     */
    private Set<String> otherVersions(BundleRequirement requirement) {
        Set<String> words = new TreeSet<>();
        String filter = requirement.getDirectives().getOrDefault(Constants.FILTER_DIRECTIVE, "");
        String namespace = requirement.getNamespace();
        for (Bundle bundle : context.getBundles()) {
            BundleRevision revision = bundle.adapt(BundleRevision.class);
            for (BundleCapability capability :
                    revision == null ? List.<BundleCapability>of() : revision.getDeclaredCapabilities(namespace)) {
                Object name = capability.getAttributes().get(namespace);
                Object version = capability.getAttributes().get(Constants.VERSION_ATTRIBUTE);
                if (name != null && version != null && filter.contains("(" + namespace + "=" + name + ")")) {
                    words.add(bundle.getSymbolicName() + " has version " + version);
                }
            }
        }
        return words;
    }

    private static boolean isNamed(Offer offer, String namespace, String filter) {
        Object name = offer.attributes().get(namespace);
        return name != null && filter.contains("(" + namespace + "=" + name + ")");
    }
}
