package dev.hearth.itests.framework;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestInstanceFactory;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstantiationException;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.ExamSystem;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.TestAddress;
import org.ops4j.pax.exam.TestContainer;
import org.ops4j.pax.exam.TestContainerException;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.ops4j.pax.exam.spi.PaxExamRuntime;

/**
 * Runs Pax Exam from JUnit Jupiter, which Pax Exam does not support: one framework per class. Every test method runs
 * inside the framework, in a probe bundle of the test classes. Public because Jupiter creates it.
 */
public final class PaxExamJupiter
        implements BeforeAllCallback, AfterAllCallback, InvocationInterceptor, TestInstanceFactory {
    private final Map<String, TestAddress> addresses = new LinkedHashMap<>();
    private Optional<TestContainer> container = Optional.empty();

    @Override
    public void beforeAll(ExtensionContext extension) throws Exception {
        Class<?> type = extension.getRequiredTestClass();
        Object instance = instantiate(type);
        List<Option> options = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Configuration.class)) {
                options.addAll(List.of((Option[]) method.invoke(instance)));
            }
        }
        ExamSystem system = PaxExamRuntime.createTestSystem(options.toArray(new Option[0]));
        TestProbeBuilder probe = system.createProbe();
        for (Method method : type.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Test.class)) {
                addresses.put(method.getName(), probe.addTest(type, method.getName()));
            }
        }
        TestContainer started = PaxExamRuntime.createContainer(system);
        container = Optional.of(started);
        started.start();
        started.installProbe(probe.build().getStream());
    }

    @Override
    public void afterAll(ExtensionContext extension) {
        container.ifPresent(TestContainer::stop);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext extension)
            throws Throwable {
        invocation.skip(); // outside the framework; the probe makes its own call inside it
        try {
            container.orElseThrow().call(addresses.get(method.getExecutable().getName()));
        } catch (TestContainerException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw cause;
        }
    }

    @Override
    public Object createTestInstance(TestInstanceFactoryContext factory, ExtensionContext extension) {
        return instantiate(factory.getTestClass());
    }

    private static Object instantiate(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new TestInstantiationException(type.getName(), e);
        }
    }
}
