package dev.hearth.itests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static dev.hearth.itests.architecture.ModuleRules.forbid;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps classes of the engine out of job plans. A plan holds functions and objects of the application and of platform/api only: an
 * executor in a process of its own reads them with the application's class loader, which does not see the engine.
 */
final class TravelRules {
    private static final String LAMBDA_READER =
            "$deserializeLambda$"; // compilers add it where a lambda is serialisable

    private TravelRules() {}

    static List<ArchRule> rules() {
        String engine = ProjectModule.ENGINE.root() + ".internal";
        DescribedPredicate<JavaClass> planning = resideInAnyPackage(ProjectModule.ENGINE.root() + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(engine + ".executor..", engine + ".aggregate..")));
        return List.of(
                forbid(
                        planning,
                        declareSerializableLambdas(),
                        ProjectModule.ENGINE + ": has no serialisable lambda outside of tasks",
                        "executors cannot read it from a plan; write the operation in platform/api, or give it a Source or Step of its own"),
                forbid(
                        planning,
                        travel(),
                        ProjectModule.ENGINE
                                + ": has no serialisable class outside of tasks but those that are replaced",
                        "executors cannot read it from a plan; write another object in its place by writeReplace"));
    }

    private static ArchCondition<JavaClass> declareSerializableLambdas() {
        return condition("declare serialisable lambdas", type -> names(type).anyMatch(LAMBDA_READER::equals));
    }

    private static ArchCondition<JavaClass> travel() {
        DescribedPredicate<JavaClass> plain = assignableTo(Serializable.class)
                .and(DescribedPredicate.not(assignableTo(Throwable.class).or(assignableTo(Enum.class))));
        return condition(
                "be serialisable", type -> plain.test(type) && names(type).noneMatch("writeReplace"::equals));
    }

    private static Stream<String> names(JavaClass type) {
        return type.getCodeUnits().stream().filter(JavaCodeUnit::isMethod).map(HasName::getName);
    }

    private static ArchCondition<JavaClass> condition(String words, java.util.function.Predicate<JavaClass> holds) {
        return new ArchCondition<>(words) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String text = type.getDescription() + (holds.test(type) ? " does" : " does not") + " " + words;
                events.add(new SimpleConditionEvent(type, holds.test(type), text));
            }
        };
    }
}
