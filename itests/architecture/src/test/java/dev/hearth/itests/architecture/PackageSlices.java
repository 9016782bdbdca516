package dev.hearth.itests.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Makes each package of production code a slice; the packages of the api together are one. */
final class PackageSlices implements SliceAssignment {
    static final PackageSlices INSTANCE = new PackageSlices();

    private PackageSlices() {}

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
        String name = type.getPackageName();
        if (!name.startsWith("dev.hearth.")) {
            return SliceIdentifier.ignore();
        }
        String api = ProjectModule.API.root();
        return SliceIdentifier.of(name.equals(api) || name.startsWith(api + ".") ? api : name);
    }

    @Override
    public String getDescription() {
        return "packages";
    }
}
