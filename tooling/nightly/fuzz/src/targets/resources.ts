import { ResourceError } from '@utf8/classfile/resources';
import { extract, makers, withApk } from '@utf8/oracles/android/aapt';
import { app } from '@utf8/oracles/android/app';
import { visitResources } from '@utf8/oracles/android/visit';
import { attempt } from '../codec.js';
import { compose } from '../input.js';
import { require, type Target } from '../target.js';

const files = ['resources.arsc', 'AndroidManifest.xml', 'res/layout/main.xml'];

export const target: Target = {
  title: "Android's resources and binary XML, strictly and leniently",
  maxLength: 8192,
  *seeds() {
    const small = Object.entries(app).filter(([file]) => !file.includes('values-'));
    for (const maker of makers) {
      yield* withApk(maker, Object.fromEntries(small), (apk) =>
        files.map((file) => compose(extract(apk, file))),
      );
    }
  },
  run(input) {
    const file = Buffer.from(input.rest());
    const strict = attempt(() => visitResources(file, {}), ResourceError);
    const errors: ResourceError[] = [];
    const lenient = attempt(
      () =>
        visitResources(file, { errors: 'replace', lenient: (error) => void errors.push(error) }),
      ResourceError,
    );
    if (strict instanceof ResourceError) return;
    require(!(lenient instanceof ResourceError), 'lenient refuses what strict reads');
    require(errors.length === 0, 'lenient finds faults in what strict reads');
  },
};
