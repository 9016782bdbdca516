package dev.hearth.junit;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Injects a {@link HearthContext} into tests with a parameter of that type, and closes it after these tests; see {@link
 * HearthTest}. For that annotation JUnit creates an instance; {@link #builder()} creates one for a static field with
 * {@code @RegisterExtension}. The class has no state, because JUnit's stores hold the contexts. Test classes and
 * methods may run in parallel.
 */
public final class HearthExtension
        implements ParameterResolver, BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    static final String MASTER = "local[2]";

    private static final ContextOptions DEFAULTS = new ContextOptions(MASTER, Map.of(), ContextPer.CLASS);

    private final @Nullable ContextOptions given; // null: annotations set the options

    /**
     * Constructor for JUnit. The annotation {@link HearthTest} on the test class or method sets the options; without
     * it, its default values apply.
     */
    public HearthExtension() {
        this(null);
    }

    private HearthExtension(@Nullable ContextOptions given) {
        this.given = given;
    }

    /**
     * Builder of an extension with options, for a field: {@code @RegisterExtension static final HearthExtension HEARTH
     * = ...}.
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        noteOpen(test);
        ofClass(test);
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        noteOpen(test);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        refuseOpened(test);
    }

    @Override
    public void afterAll(ExtensionContext test) {
        refuseOpened(test);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == HearthContext.class;
    }

    @Override
    public HearthContext resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return holding(test).context();
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    private ManagedContext holding(ExtensionContext test) {
        if (test.getTestMethod().isEmpty()) {
            ManagedContext ofClass = ofClass(test); // JUnit creates the instance that all methods share
            if (ofClass.options().per() == ContextPer.METHOD) {
                throw new ParameterResolutionException(test.getDisplayName()
                        + ": a context requested outside of a test method, while each test method has its own"
                        + " (expected: a parameter of a test method, @BeforeEach or @AfterEach); move the parameter"
                        + " there, or use ContextPer.CLASS");
            }
            return ofClass;
        }
        Optional<ManagedContext> known = held(test);
        if (known.isPresent() && known.get().isOwnedBy(test)) {
            return known.get(); // created for an earlier parameter of this method
        }
        Optional<HearthTest> ofMethod = given == null
                ? AnnotationSupport.findAnnotation(test.getRequiredTestMethod(), HearthTest.class)
                : Optional.empty();
        if (ofMethod.isPresent()) {
            return hold(test, ContextOptions.of(ofMethod.get()));
        }
        return known.filter(held -> held.options().per() == ContextPer.CLASS)
                .orElseGet(() -> hold(
                        test,
                        known.map(ManagedContext::options).orElseGet(() -> options(test.getRequiredTestClass()))));
    }

    /**
     * The context of a test class. A nested class without {@link HearthTest} of its own shares the context of its
     * enclosing class.
     */
    private ManagedContext ofClass(ExtensionContext test) {
        Optional<ManagedContext> known = held(test);
        boolean apart = known.isEmpty()
                || (given == null
                        && !known.get().isOwnedBy(test)
                        && ownOptions(test.getRequiredTestClass()).isPresent());
        return apart ? hold(test, options(test.getRequiredTestClass())) : known.get();
    }

    private ContextOptions options(Class<?> test) {
        return given == null ? ownOptions(test).orElse(DEFAULTS) : given;
    }

    private static Optional<ContextOptions> ownOptions(Class<?> test) {
        return AnnotationSupport.findAnnotation(test, HearthTest.class).map(ContextOptions::of);
    }

    private ManagedContext hold(ExtensionContext test, ContextOptions options) {
        ManagedContext held = new ManagedContext(
                options, test.getUniqueId(), name(test), leftovers -> test.publishReportEntry("leftovers", leftovers));
        store(test).put(ManagedContext.class, held);
        return held;
    }

    private static String name(ExtensionContext test) {
        String type = test.getRequiredTestClass().getSimpleName();
        return test.getTestMethod().map(method -> type + "." + method.getName()).orElse(type);
    }

    /**
     * The context that JUnit's store contains for the method or class {@code test}, or else for its enclosing class;
     * empty if there is none.
     */
    private Optional<ManagedContext> held(ExtensionContext test) {
        return Optional.ofNullable(store(test).get(ManagedContext.class, ManagedContext.class));
    }

    private ExtensionContext.Store store(ExtensionContext test) {
        return test.getStore(ExtensionContext.Namespace.create(HearthExtension.class, this));
    }

    private void noteOpen(ExtensionContext test) {
        store(test).put(UnmanagedContexts.class, UnmanagedContexts.ofThisThread());
    }

    /**
     * Closes contexts that a test has opened itself and left open, so that they do not affect later tests. Fails the
     * test if there are any.
     */
    private void refuseOpened(ExtensionContext test) {
        List<?> before = store(test).getOrDefault(UnmanagedContexts.class, List.class, List.of());
        List<HearthContext> left = UnmanagedContexts.ofThisThread().stream()
                .filter(context -> !before.contains(context))
                .toList();
        List<String> names = new ArrayList<>();
        for (HearthContext context : left) {
            names.add(context.toString());
            context.close();
        }
        if (!names.isEmpty()) {
            throw new HearthException(
                    "BAD_ARGUMENT",
                    test.getDisplayName() + ": contexts " + names + " were open at its end (expected: contexts that"
                            + " the test closes); open contexts in a try statement, or take one as a parameter");
        }
    }

    /** Builder of a {@link HearthExtension}: collects the options of the contexts of one test class. */
    public static final class Builder {
        private String master = MASTER;
        private final Map<String, String> settings = new LinkedHashMap<>();
        private ContextPer per = ContextPer.CLASS;

        private Builder() {}

        public Builder master(String url) {
            master = url;
            return this;
        }

        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        public Builder per(ContextPer sharing) {
            per = sharing;
            return this;
        }

        public HearthExtension build() {
            return new HearthExtension(new ContextOptions(master, settings, per));
        }
    }
}
